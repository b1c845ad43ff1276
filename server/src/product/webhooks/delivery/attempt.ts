import type { Readable } from 'node:stream'
import type { GuardedPool } from '../../../kernel/http/outgoing/guarded-pool.ts'
import { signMessage } from '../../../kernel/standard-webhooks.ts'
import type { Due } from './delivery-queries.ts'

const ANSWER_WITHIN_MS = 15_000
const EXCERPT_CHARACTERS = 1_000
const EXCERPT_BYTES = 4 * EXCERPT_CHARACTERS
const MAX_ANSWER_BYTES = 64 * 1024

export interface Attempt {
  isDelivered: boolean
  durationMs: number
  responseStatus?: number
  responseExcerpt?: string
  error?: string
  /** The receiver's wish. */
  retryAfterMs?: number
}

/** Where and how one webhook is sent. */
export interface Address {
  projectId: string
  /** Each signs. */
  secrets: string[]
  connections: GuardedPool
}

/** The same event has the same text and the same id at every attempt and for every receiver. */
export function messageOf(projectId: string, due: Due) {
  const body = JSON.stringify({
    type: due.kind,
    timestamp: due.createdAt,
    data: {
      id: due.eventId,
      project_id: projectId,
      subject_type: due.subjectType,
      subject_id: due.subjectId,
      actor: { origin: due.origin, user_id: due.userId, key_id: due.keyId },
      request_id: due.requestId,
      payload: due.payload,
    },
  })
  return { id: `evt_${projectId.replaceAll('-', '')}_${due.eventId}`, body }
}

export async function attempt(address: Address, due: Due): Promise<Attempt> {
  const { projectId, secrets, connections } = address
  if (secrets.length === 0)
    return {
      isDelivered: false,
      durationMs: 0,
      error: 'Its secret was stored with another SECRET_KEY. Rotate the secret.',
    }
  const { id, body } = messageOf(projectId, due)
  const timestamp = Math.floor(Date.now() / 1_000)
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Slipway-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    // One for each secret, so that a secret can be replaced without a gap.
    'webhook-signature': secrets.map((secret) => signMessage(secret, id, timestamp, body)).join(' '),
  }
  const begun = performance.now()
  const tookMs = () => Math.round(performance.now() - begun)
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), ANSWER_WITHIN_MS)
  try {
    const answer = await connections.post(headers, body, deadline.signal)
    const responseExcerpt = await readExcerpt(answer.body)
    const responseStatus = answer.statusCode
    const isDelivered = responseStatus >= 200 && responseStatus < 300
    const retryAfterMs = readRetryAfter(answer.headers['retry-after'])
    return {
      isDelivered,
      durationMs: tookMs(),
      responseStatus,
      responseExcerpt,
      ...(!isDelivered && { error: `It answered ${responseStatus}.` }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }
  } catch (err) {
    const isLate = deadline.signal.aborted
    const error = isLate ? `It did not answer within ${ANSWER_WITHIN_MS / 1_000} s.` : sentenceOf(err as Error)
    return { isDelivered: false, durationMs: tookMs(), error }
  } finally {
    clearTimeout(timer)
  }
}

/** Reads a little of the answer. A long one is not read to its end, so its connection cannot be used again. */
function readExcerpt(answer: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const finish = () => {
      const text = Buffer.concat(chunks).toString('utf8')
      resolve(text.replaceAll('\0', '').slice(0, EXCERPT_CHARACTERS).toWellFormed())
    }
    answer.on('data', (chunk: Buffer) => {
      if (bytes < EXCERPT_BYTES) chunks.push(chunk)
      bytes += chunk.length
      if (bytes <= MAX_ANSWER_BYTES) return
      finish()
      answer.destroy()
    })
    answer.once('end', finish).once('error', reject)
  })
}

function readRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return ms > 0 ? ms : undefined
}

/** A failed connection to several addresses has no message of its own. */
function sentenceOf(err: Error & { code?: string }): string {
  const text = err.message || err.code || 'it cannot be reached'
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.slice(0, 500)
}
