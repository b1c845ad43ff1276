import { Readable } from 'node:stream'
import type { Actor, Ctx } from '../../context.ts'
import { isTransaction } from '../../database/index.ts'
import { createTurns } from '../../turns.ts'
import { type Encoded, encoded } from './encoded.ts'

/** Takes 1 to 3 ms to encode. */
const PIECE_CHARACTERS = 131_072

type Encoding = Pick<Ctx, 'db'> & { actor: Pick<Actor, 'projectId'> }

interface Piece {
  project: string
  encode(): void
}

/** A project encodes one piece per turn of the event loop, however many of its answers are under way. */
const turns = createTurns<Piece>({
  total: 4,
  perProject: 1,
  begin({ project, encode }) {
    encode()
    setImmediate(() => turns.end(project))
    return true
  },
})

const turnOf = (project: string) =>
  new Promise<void>((encode) => {
    turns.add(project, { project, encode })
  })

/**
 * Returns the JSON of `{ data }`, whose last field is a text. A long one is encoded in pieces while it is sent: 2 million
 * characters at once would keep all other requests waiting for 10 to 30 ms. A transaction, which stores the answer, does
 * not wait for turns.
 */
export function encodeData({ db, actor }: Encoding, shown: object, field: string, text: string): Encoded {
  if (text.length <= PIECE_CHARACTERS || isTransaction(db))
    return encoded(JSON.stringify({ data: { ...shown, [field]: text } }))
  return encoded(Readable.from(piecesOf(actor.projectId, shown, field, text), { objectMode: false }))
}

async function* piecesOf(project: string, shown: object, field: string, text: string): AsyncGenerator<string> {
  const json = JSON.stringify({ data: { ...shown, [field]: '' } })
  const end = '"}}'
  yield json.slice(0, -end.length)
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
    await turnOf(project)
    // If this cuts a surrogate pair, both halves are escaped, which means the same.
    yield JSON.stringify(text.slice(at, at + PIECE_CHARACTERS)).slice(1, -1)
  }
  yield end
}
