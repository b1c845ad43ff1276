import { Agent, request } from 'node:http'
import { setPriority } from 'node:os'

/**
 * Runs in its own process. The first message is an attack, whose requests it repeats until the second message; then it
 * reports how many were answered with which status.
 */

// It stands for another machine, so it must not take the processor from the server.
setPriority(19)

const answers = {}
let isOver = false
let next = 0

function send({ origin, headers, agent }, { method, path, body = '' }) {
  return new Promise((resolve) => {
    const length = body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const asked = request(origin + path, {
      method,
      agent,
      headers: { ...headers, accept: 'application/json, text/event-stream', ...length },
    })
    asked.on('response', (res) => res.resume().on('close', () => resolve(res.statusCode)))
    asked.on('error', (err) => resolve(err.code))
    asked.end(body)
  })
}

async function keepSending({ requests, ...to }) {
  while (!isOver) {
    const status = await send(to, requests[next++ % requests.length])
    answers[status] = (answers[status] ?? 0) + 1
  }
}

process.once('message', (attack) => {
  const agent = new Agent({ keepAlive: true, maxSockets: attack.connections })
  for (let count = 0; count < attack.connections; count++) void keepSending({ ...attack, agent })
  process.once('message', () => {
    isOver = true
    // A request may take much longer than the measurement.
    process.send(answers, () => process.exit())
  })
})
