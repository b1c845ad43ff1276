import { encode, keepAsking } from './client.mjs'
import { isWrite, requestSource, scenarios } from './scenarios.mjs'

/**
 * The load generator, which runs in its own process. The first message contains the seeded data. For each further
 * message, `{ scenario, origin, headers, connections, seconds, seed }`, it answers `{ requests, seconds, p50, p99,
 * faults, cpuSeconds }`.
 */

const PREPARED_PER_CONNECTION = 500
let seeded

process.on('message', async (message) => {
  if (seeded) process.send(await measure(message))
  else seeded = message
})
process.on('disconnect', () => process.exit())

async function measure({ scenario: name, origin, headers, connections, seconds, seed }) {
  const scenario = scenarios.find((one) => one.name === name)
  const url = new URL(origin)
  const source = requestSource(scenario, seeded, seed)
  const make = () => encode(url, source(), headers)
  const sources = Array.from({ length: connections }, () => (isWrite(scenario) ? make : rotate(make)))

  const times = []
  const faults = {}
  const onAnswer = (status, milliseconds) => {
    if (status >= 200 && status < 300) times.push(milliseconds)
    else faults[status] = (faults[status] ?? 0) + 1
  }
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt >= seconds * 1000
  await Promise.all(sources.map((next) => keepAsking(url, next, isOver, onAnswer)))
  const tookMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)

  const sorted = Float64Array.from(times).sort()
  const percentile = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
  return {
    requests: times.length,
    seconds: tookMs / 1000,
    p50: percentile(0.5),
    p99: percentile(0.99),
    faults,
    cpuSeconds: (user + system) / 1e6,
  }
}

/** Prepares reads once and repeats them. Builds each write when it is sent, because writes must be unique. */
function rotate(make) {
  const prepared = Array.from({ length: PREPARED_PER_CONNECTION }, make)
  let index = -1
  return () => {
    index = (index + 1) % prepared.length
    return prepared[index]
  }
}
