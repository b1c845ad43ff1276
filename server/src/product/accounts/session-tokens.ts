import { hash } from 'node:crypto'
import type { BetterAuthOptions } from 'better-auth'
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth/adapters'
import { getAdapter } from 'better-auth/db/adapter'

/** What the calls of an adapter have in common. */
interface Call {
  model: string
  where?: Where[]
  data?: Row
  update?: Row
}
type Row = Record<string, unknown>
type Method = (call: Call) => Promise<unknown>

const METHODS = [
  'create',
  'findOne',
  'findMany',
  'count',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
  'consumeOne',
  'incrementOne',
] as const satisfies (keyof DBTransactionAdapter)[]

/**
 * Lets better-auth work with session tokens while the database has only their hashes: a token is hashed on its way into
 * a statement, and a row that comes back gets the token that it was asked for by.
 */
export async function hashingSessionTokens<O extends BetterAuthOptions>(options: O) {
  const plain = await getAdapter(options)
  const adapter: DBAdapter = {
    ...hashing(plain),
    transaction: (run) => plain.transaction((inner) => run(hashing(inner))),
  }
  return { ...options, database: () => adapter }
}

function hashing<A extends DBTransactionAdapter>(adapter: A): A {
  const methods = METHODS.map((name) => [name, hashingMethod(adapter[name] as unknown as Method)])
  return { ...adapter, ...Object.fromEntries(methods) }
}

const hashingMethod =
  (run: Method): Method =>
  async (call) => {
    if (call.model !== 'session') return run(call)
    const tokens = new Map<unknown, string>()
    const hashed = (token: string) => {
      const sha256 = hash('sha256', token, 'hex')
      tokens.set(sha256, token)
      return sha256
    }
    const inRow = (row: Row) => (typeof row.token === 'string' ? { ...row, token: hashed(row.token) } : row)
    const inClause = (clause: Where): Where => {
      if (clause.field !== 'token') return clause
      const { value } = clause
      return { ...clause, value: Array.isArray(value) ? (value as string[]).map(hashed) : hashed(value as string) }
    }
    const shown = (row: unknown) => {
      const token = tokens.get((row as Row | null)?.token)
      return token === undefined ? row : { ...(row as Row), token }
    }
    const answer = await run({
      ...call,
      ...(call.where && { where: call.where.map(inClause) }),
      ...(call.data && { data: inRow(call.data) }),
      ...(call.update && { update: inRow(call.update) }),
    })
    return Array.isArray(answer) ? answer.map(shown) : shown(answer)
  }
