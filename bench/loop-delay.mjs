import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Loaded into the server with `--import`. On SIGUSR2, writes how long the event loop was blocked since the last signal.
 */
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('SIGUSR2', () => {
  writeFileSync(process.env.LOOP_DELAY_FILE, JSON.stringify({ maxMs: delay.max / 1e6 }))
  delay.reset()
})
