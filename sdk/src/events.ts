import type { EventPayloads } from './generated/events.ts'

/** The payload of each event, by its kind. */
export type { EventPayloads }
export type EventKind = keyof EventPayloads

interface Body<K extends EventKind> {
  type: K
  timestamp: string
  data: {
    id: string
    project_id: string
    subject_type: string
    subject_id: string
    actor: { origin: string; user_id: string | null; key_id: string | null }
    request_id: string
    payload: EventPayloads[K]
  }
}

/** What a webhook receives. Its `type` tells what `data.payload` has. */
export type SlipwayEvent = { [K in EventKind]: Body<K> }[EventKind]
