import { type Static, type TObject, type TProperties, Type } from 'typebox'

declare const registered: unique symbol

export interface NewEvent {
  kind: string
  subjectType: string
  subjectId: string
  payload: Record<string, unknown>
  /** The request that caused the event, if one transaction answers several requests. */
  requestId?: string
  /** Only `defineEvents` makes events. */
  readonly [registered]: true
}

interface Reader {
  userId: string
  role: string
}

interface Seen {
  userId: string | null
  payload: Record<string, unknown>
}

/** Who may see events: in words for the documentation, and the rule. */
export interface SeenBy {
  who: string
  may(reader: Reader, event: Seen): boolean
}

export const MEMBERS: SeenBy = { who: 'members', may: () => true }
export const ADMINS: SeenBy = { who: 'admins', may: ({ role }) => role === 'admin' }

/** What all events with the same first word are about. */
export interface EventGroup {
  /** The part of their kinds before the dot. */
  name: string
  /** For people who choose what a webhook receives. */
  title: string
  /** Their subject, if it has another name than the group. */
  subjectType?: string
  seenBy: SeenBy
  /** Members keep it for themselves, so webhooks do not receive it. */
  isPrivate?: true
}

/**
 * What happened, as the end of a sentence that begins with who did it. `{it}` stands for the subject. `by` is the name of
 * who did it. Undefined if there is nothing to say.
 */
type Says<P> = string | ((payload: P, by: string) => string | undefined)

interface Definition<P extends TProperties> {
  payload: P
  says: Says<Static<TObject<P>>>
}

/** What is left out of JSON may be given as undefined. */
type Given<P> = { [N in keyof P]: P[N] | (object extends Pick<P, N> ? undefined : never) }

/** A kind of event, as the register knows it. */
export interface EventKind {
  kind: string
  subjectType: string
  /** Undefined where a slice adds kinds to the group of another. */
  group: EventGroup | undefined
  payload: TObject
  says: Says<never>
}

/** Makes an event of its kind. */
export type EventMaker<P extends TProperties> = EventKind &
  ((subjectId: string, payload: Given<Static<TObject<P>>>) => NewEvent)

/** What the log adds to a payload. */
const ADDED = {
  agent: Type.Optional(Type.String({ description: 'The MCP client that did it.' })),
  proposed_by_run: Type.Optional(
    Type.String({ format: 'uuid', description: 'The run that proposed it. A person accepted it.' }),
  ),
}

export const event = <P extends TProperties>(payload: P, says: Definition<P>['says']): Definition<P> => ({
  payload,
  says,
})

/** Defines kinds of events. A slice that adds kinds to the group of another gives its name. */
export function defineEvents<D extends Record<string, TProperties>>(
  group: EventGroup | string,
  definitions: { [N in keyof D]: Definition<D[N]> },
): { [N in keyof D]: EventMaker<D[N]> } {
  const name = typeof group === 'string' ? group : group.name
  const subjectType = (typeof group === 'object' && group.subjectType) || name
  const kinds = Object.entries(definitions as Record<string, Definition<TProperties>>).map(
    ([end, { payload, says }]) => {
      const kind = `${name}.${end}`
      const make = (subjectId: string, payload: object) => ({ kind, subjectType, subjectId, payload })
      const facts = { kind, subjectType, says, payload: Type.Object({ ...payload, ...ADDED }) }
      return [end, Object.assign(make, { ...facts, group: typeof group === 'object' ? group : undefined })]
    },
  )
  return Object.fromEntries(kinds) as { [N in keyof D]: EventMaker<D[N]> }
}

/** Every kind of event that can be recorded. */
export interface EventRegister {
  kinds: Map<string, EventKind>
  groups: Map<string, EventGroup>
}

/** Throws if a kind is defined twice, or if a group is defined twice or never. */
export function registerEvents(all: EventKind[]): EventRegister {
  const kinds = new Map<string, EventKind>()
  const groups = new Map<string, EventGroup>()
  for (const one of all) {
    if (kinds.has(one.kind)) throw new Error(`The event "${one.kind}" is defined twice.`)
    kinds.set(one.kind, one)
    if (!one.group) continue
    const { name } = one.group
    if ((groups.get(name) ?? one.group) !== one.group) throw new Error(`The events "${name}.*" have two groups.`)
    groups.set(name, one.group)
  }
  for (const kind of kinds.keys())
    if (!groups.has(groupName(kind))) throw new Error(`The event "${kind}" belongs to no group.`)
  return { kinds, groups }
}

const groupName = (kind: string) => kind.slice(0, kind.indexOf('.'))

/** Events of kinds that are not registered, such as those of older versions, are seen by nobody. */
export const findGroup = ({ kinds, groups }: EventRegister, kind: string): EventGroup | undefined =>
  kinds.has(kind) ? groups.get(groupName(kind)) : undefined

/** The sentence about an event. Undefined if there is nothing to say, or the payload has another shape: a log can be imported. */
export function sayEvent(
  { kinds }: EventRegister,
  { kind, payload }: { kind: string; payload: Record<string, unknown> },
  by: string,
): string | undefined {
  const says = kinds.get(kind)?.says
  if (typeof says !== 'function') return says
  try {
    return says(withoutPlaceholders(payload) as never, by)
  } catch {
    return undefined
  }
}

/** What people wrote is not taken for the subject. */
function withoutPlaceholders(payload: object): object {
  const text = JSON.stringify(payload)
  return text.includes('{it}') ? JSON.parse(text.replaceAll('{it}', '{\u2060it}')) : payload
}

/** `in_review` as people read it: "In review". */
export const inWords = (value: string) => `${value.charAt(0).toUpperCase()}${value.slice(1).replaceAll('_', ' ')}`

/** "the prompt, the model and the budget" */
export const inList = (all: string[]) =>
  all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`

/** Joins the parts of what one event says. The subject is named once. Undefined if there are none. */
export const joinParts = ([first, ...others]: string[]) =>
  first === undefined ? undefined : inList([first, ...others.map((one) => one.replace('{it}', 'it'))])

/** "changed the prompt and the budget of {it}". Fields that have no words are named as they are. */
export const saysFields =
  (words: Record<string, string>) =>
  ({ fields }: { fields: string[] }) =>
    `changed ${inList(fields.map((one) => words[one] ?? `the ${one.replaceAll('_', ' ')}`))} of {it}`

export const Fields = Type.Array(Type.String(), {
  description: 'What changed, as it is called in the API.',
  examples: [['title']],
})
