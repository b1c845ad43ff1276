import { type Components, type Json, refer } from './schemas.ts'

export interface Operation {
  tags: readonly string[]
  parameters: Json[]
  requestBody?: Json
  responses: Record<string, Json>
  [key: string]: unknown
}

/** Moves parameters and answers that several operations have in common to `components`. */
export function shareRepeated(operations: Operation[], components: Components): void {
  const parts = operations.flatMap(({ parameters, responses }) => [
    ...parameters.map((part, at) => ({
      section: 'parameters' as const,
      name: pascal(String(part.name)),
      part,
      put: (reference: Json) => {
        parameters[at] = reference
      },
    })),
    ...Object.entries(responses).map(([status, part]) => ({
      section: 'responses' as const,
      name: nameOfAnswer(part),
      part,
      put: (reference: Json) => {
        responses[status] = reference
      },
    })),
  ])
  const uses = new Map<string, number>()
  for (const { part } of parts) uses.set(JSON.stringify(part), (uses.get(JSON.stringify(part)) ?? 0) + 1)
  for (const { section, name, part, put } of parts) {
    const text = JSON.stringify(part)
    if (part.$ref || name === undefined || uses.get(text) === 1) continue
    const known = components[section][name]
    if (known === undefined || JSON.stringify(known) === text) put(refer(components, section, name, part))
  }
}

const pascal = (name: string) => name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The name of what it answers, if it is a named schema, a list of them, or no JSON. */
function nameOfAnswer({ headers, content }: Json): string | undefined {
  const has = (header: string) => header in ((headers as Json | undefined) ?? {})
  const tagged = has('ETag') ? 'Tagged' : ''
  if (!content) return headers ? `${tagged}NoContent` : 'NotModified'
  if ('*/*' in (content as Json)) return `${tagged}Bytes`
  const schema = (content as Record<string, Json>)['application/json']?.schema as Shape | undefined
  const { data, items } = schema?.properties ?? {}
  const reference = data?.$ref ?? items?.items?.$ref ?? schema?.$ref
  const kind = items ? (has('Link') ? 'Page' : 'Items') : ''
  return reference && `${tagged}${reference.split('/').at(-1)}${kind}`
}

interface Shape {
  $ref?: string
  properties?: { data?: { $ref?: string }; items?: { items?: { $ref?: string } } }
}
