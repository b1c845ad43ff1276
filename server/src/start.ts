/*
 * The first module of the server. It listens for signals before it loads the rest, which takes a while: a signal in that
 * time ends the start in order instead of killing the process.
 */
const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort(signal))

const { main } = await import('./main.ts')
await main(stop.signal)
