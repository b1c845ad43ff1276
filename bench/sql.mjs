import { createHash } from 'node:crypto'
import pg from 'pg'

// Times stay text, as in the server.
pg.types.setTypeParser(1184, (text) => text)

/** A template tag around the driver: prepared statements, values as `$n`. */
export function openSql(config) {
  const pool = new pg.Pool({ ...config, pipeline: true, idleTimeoutMillis: 0 })
  const prepared = new WeakMap()
  const statementOf = (strings) => {
    let statement = prepared.get(strings)
    if (!statement) {
      const text = strings.reduce((before, after, index) => `${before}$${index}${after}`)
      statement = { text, name: createHash('md5').update(text).digest('hex') }
      prepared.set(strings, statement)
    }
    return statement
  }
  const tagOn =
    (client) =>
    async (strings, ...values) =>
      (await client.query({ ...statementOf(strings), values })).rows
  return Object.assign(tagOn(pool), {
    async begin(run) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const result = await run(tagOn(client))
        await client.query('commit')
        return result
      } finally {
        client.release()
      }
    },
    run: (text) => pool.query(text),
    end: () => pool.end(),
  })
}
