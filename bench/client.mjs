import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * One keep-alive connection that sends the next request when the last one is answered. It parses only the status and
 * the length of an answer, because a complete HTTP client would take as much processor time as the server it measures.
 */

const PATIENCE_MS = 20_000
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const LENGTH = '\r\ncontent-length: '

/** @param {URL} url @param {import('./scenarios.mjs').Request} request @param {Record<string, string>} headers */
export function encode(url, { method, path, body = '' }, headers) {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${url.host}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

/**
 * @param {URL} url
 * @param {() => Buffer} next
 * @param {() => boolean} isOver asked before each request
 * @param {(status: number, milliseconds: number) => void} onAnswer
 */
export async function keepAsking(url, next, isOver, onAnswer) {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  let pending = Buffer.alloc(0)
  let sentAt = 0
  const send = () => {
    sentAt = performance.now()
    socket.write(next())
  }
  socket.on('connect', send)
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    const answer = readAnswer(pending)
    if (!answer) return
    if (pending.length > answer.end) throw new Error('More came than was asked for.')
    pending = Buffer.alloc(0)
    onAnswer(answer.status, performance.now() - sentAt)
    if (isOver()) socket.destroy()
    else send()
  })
  socket.on('end', () => socket.destroy(new Error('The connection was closed too early.')))
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('An answer did not come in time.')))
  await once(socket, 'close')
}

/** Returns undefined until the answer is complete. */
function readAnswer(bytes) {
  const headEnd = bytes.indexOf(END_OF_HEAD)
  if (headEnd < 0) return undefined
  const head = bytes.latin1Slice(0, headEnd)
  const at = head.toLowerCase().indexOf(LENGTH)
  if (at < 0) throw new Error(`An answer without a length:\n${head}`)
  const end = headEnd + END_OF_HEAD.length + Number.parseInt(head.slice(at + LENGTH.length), 10)
  return bytes.length < end ? undefined : { status: Number(head.slice(9, 12)), end }
}
