import { type EventKind, type EventRegister, sayEvent } from './kernel/event-kinds.ts'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  examples?: unknown[]
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
}

/** The register for programs, one line for each kind, so that a change is one line. */
export function describeEvents(events: EventRegister): string {
  const groups = [...events.groups.values()].map(({ name, title, isPrivate = false, seenBy }) =>
    JSON.stringify({ name, title, seen_by: seenBy.who, is_sent: !isPrivate }),
  )
  const kinds = sorted(events).map(({ kind, subjectType, payload }) =>
    JSON.stringify({ kind, subject_type: subjectType, payload }),
  )
  return `{\n"groups": [\n${groups.join(',\n')}\n],\n"kinds": [\n${kinds.join(',\n')}\n]\n}\n`
}

const sorted = ({ kinds, groups }: EventRegister) => {
  const names = [...groups.keys()]
  const placeOf = (kind: string) => names.indexOf(kind.slice(0, kind.indexOf('.')))
  // What other slices add to a group comes last.
  const added = (one: EventKind) => Number(one.group === undefined)
  return [...kinds.values()].sort((a, b) => placeOf(a.kind) - placeOf(b.kind) || added(a) - added(b))
}

/** The table in docs/webhooks.md. */
export function tabulateEvents(events: EventRegister): string {
  const rows = sorted(events).flatMap(({ kind, payload }) => {
    if (events.groups.get(kind.slice(0, kind.indexOf('.')))!.isPrivate) return []
    const { agent: _, proposed_by_run: __, ...fields } = payload.properties as Record<string, Schema>
    const names = Object.keys(fields).map((name) => `\`${name}\``)
    const sample = exampleOf({ ...payload, properties: fields } as Schema) as Record<string, unknown>
    const sentence = sayEvent(events, { kind, payload: sample }, 'Ada')?.replaceAll('{it}', 'it') ?? ''
    return `| \`${kind}\` | ${names.join(', ')} | ${sentence} |`
  })
  return ['| kind | payload | what Ada did |', '| --- | --- | --- |', ...rows].join('\n')
}

function exampleOf(
  { examples, enum: values, type, format, properties, required = [] }: Schema,
  name?: string,
): unknown {
  if (examples) return examples[0]
  if (values) return values[name === 'to' ? 1 : 0]
  switch ([type].flat()[0]) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, exampleOf(properties?.[name] ?? {}, name)]))
    case 'array':
      return []
    case 'integer':
      return 1
    case 'boolean':
      return true
    default:
      return format ?? ''
  }
}
