import type { ConversationEvent, Message } from '../conversation.ts'

export interface Portion {
  /** In chronological order. */
  messages: Message[]
  /** True if there is more before them. The id of the first message tells where to continue. */
  hasMore: boolean
}

/**
 * Returns the newest events that fit into a number of characters. Messages stay whole. Only one that is too long for an
 * answer by itself is cut; the ids of its pieces say where they start.
 */
export function takePortion(
  newestFirst: ConversationEvent[],
  limits: { characters: number; messages: number },
): Portion {
  const messages: Message[] = []
  let room = limits.characters
  for (const event of newestFirst) {
    if (messages.length === limits.messages || (event.text.length > room && messages.length > 0))
      return { messages: messages.reverse(), hasMore: true }
    if (event.text.length > room) return { messages: [endOf(event, room)], hasMore: true }
    messages.push(event)
    room -= event.text.length
  }
  return { messages: messages.reverse(), hasMore: false }
}

/** The last characters of an event, without splitting a character. */
function endOf(event: ConversationEvent, characters: number): Message {
  const { text } = event
  let start = text.length - characters
  if (isLowHalf(text, start)) start = characters > 1 ? start + 1 : start - 1
  return { ...event, id: start === 0 ? event.id : `${event.id}.${start}`, text: text.slice(start) }
}

/** The part of an event before a piece that was already returned. It is not the event's end. */
export const beginningOf = (event: ConversationEvent, length: number): ConversationEvent => ({
  ...event,
  text: event.text.slice(0, length),
  isFinal: false,
})

export interface PieceId {
  eventId: string
  /** Undefined for the whole event. */
  start: number | undefined
}

export function parsePieceId(id: string): PieceId | undefined {
  const [, eventId, start] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([1-9]\d{0,8}))?$/i.exec(id) ?? []
  return eventId === undefined ? undefined : { eventId, start: start === undefined ? undefined : Number(start) }
}

const isLowHalf = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00
