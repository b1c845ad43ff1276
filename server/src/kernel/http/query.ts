import type { FastifyReply, FastifyRequest } from 'fastify'

interface ParameterSchema {
  type?: string | string[]
  'x-split'?: boolean
}

/**
 * Returns a hook for query parameters. Lists may repeat or be comma-separated. An empty value counts as absent, and so
 * does `null` where null is allowed.
 */
export function queryHook(schema: { properties?: Record<string, ParameterSchema> }) {
  const lists: [name: string, split: boolean][] = []
  const nullable: string[] = []
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    if (one.type === 'array') lists.push([name, one['x-split'] !== false])
    else if (Array.isArray(one.type) && one.type.includes('null')) nullable.push(name)
  }
  return (req: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    const query = req.query as Record<string, unknown>
    for (const [name, split] of lists) {
      if (query[name] === undefined) continue
      const values = [query[name]].flat().flatMap((value) => (split ? String(value).split(',') : [String(value)]))
      const given = values.map((value) => (split ? value.trim() : value)).filter((value) => value !== '')
      if (given.length > 0) query[name] = given
      else delete query[name]
    }
    for (const name of nullable) if (query[name] === '' || query[name] === 'null') delete query[name]
    done()
  }
}
