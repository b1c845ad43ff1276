import type { EventKind, EventPayloads } from '../events.ts'
import * as op from '../generated/operations/session.ts'
import type { Body, Call, FollowOptions, Options, Query, Schemas, StreamEvent } from '../operation.ts'

export type Change = Schemas['Change']
/** A change of a known kind. Its `kind` tells what its `payload` has. */
export type SlipwayChange = {
  [K in EventKind]: Omit<Change, 'kind' | 'payload'> & { kind: K; payload: EventPayloads[K] }
}[EventKind]
/** `change` is something that happened, `presence` says who is here. After `reset`, load everything again. */
export type ChangeEvent = StreamEvent<'streamChanges'>

const REMEMBERED = 2_000

export const changes = (call: Call) => ({
  /** List what happened and who did it, newest first. */
  list: (query: Query<'listChanges'> = {}, options?: Options) => call(op.listChanges, { query }, options),
  /** The same, under the name of the log. */
  listEvents: (query: Query<'listEvents'> = {}, options?: Options) => call(op.listEvents, { query }, options),
  /** Follow what people, keys and agents change in the project. Each change arrives once. */
  follow: (options?: FollowOptions) => once(call.stream(op.streamChanges, {}, options)),
  /** Tell the others where in the project you are. */
  moveTo: (body: Body<'moveInProject'>, options?: Options) => call(op.moveInProject, { body }, options),
})

/** Resuming repeats what the server cannot rule out to be new. */
async function* once(events: AsyncGenerator<ChangeEvent>): AsyncGenerator<ChangeEvent, void, undefined> {
  const seen = new Set<string>()
  for await (const event of events) {
    if (event.event === 'change') {
      if (seen.has(event.data.id)) continue
      seen.add(event.data.id)
      if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!)
    }
    yield event
  }
}
