import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Loaded into the server by `--import`: says on SIGUSR2 how long its event loop was held up since the last time. */
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('SIGUSR2', () => {
  writeFileSync(process.env.LOOP_DELAY_FILE, JSON.stringify({ maxMs: delay.max / 1e6 }))
  delay.reset()
})
