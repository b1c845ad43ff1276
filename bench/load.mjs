import autocannon from 'autocannon'
import { isWrite, requestSource, scenarios } from './scenarios.mjs'

/**
 * The load, in a process of its own. For each message `{ scenario, origin, headers, connections, seconds, seed }` it
 * answers `{ requests, seconds, p50, p99, faults, cpuSeconds }`; the first message is what was seeded.
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
  const next = requestSource(scenario, seeded, seed)
  const sent = (request) => ({
    ...request,
    headers: request.body ? { ...headers, 'content-type': 'application/json' } : headers,
  })
  const setupClient = (client) => {
    if (isWrite(scenario)) client.setRequests([{ ...sent(next()), setupRequest: () => sent(next()) }])
    else client.setRequests(Array.from({ length: PREPARED_PER_CONNECTION }, () => sent(next())))
  }

  const cpuBefore = process.cpuUsage()
  const times = []
  const faults = {}
  const run = autocannon({ url: origin, connections, duration: seconds, sampleInt: 100, pipelining: 1, setupClient })
  // Autocannon's own histogram counts whole milliseconds, which is too coarse here.
  run.on('response', (_client, status, _bytes, milliseconds) => {
    if (status >= 200 && status < 300) times.push(milliseconds)
    else faults[status] = (faults[status] ?? 0) + 1
  })
  const result = await run
  if (result.errors > 0) faults.errors = result.errors
  const { user, system } = process.cpuUsage(cpuBefore)
  const sorted = Float64Array.from(times).sort()
  const percentile = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
  return {
    requests: times.length,
    seconds: (result.finish - result.start) / 1000,
    p50: percentile(0.5),
    p99: percentile(0.99),
    faults,
    cpuSeconds: (user + system) / 1e6,
  }
}
