import pg from 'pg'
import pino from 'pino'
import { createApp, slices } from './app.ts'
import { bootstrap, type FirstThings } from './bootstrap.ts'
import { ConfigError, readConfig } from './kernel/config.ts'
import { errorCode, isDatabaseAway } from './kernel/database.ts'
import { isStartFailure } from './kernel/embedded-postgres/index.ts'
import { startWorker } from './kernel/jobs.ts'
import { migrate } from './kernel/migrate.ts'
import { wire } from './kernel/slice.ts'
import { openDatabase } from './open-database.ts'

const FINISH_WITHIN_MS = 10_000
const WORKER_CONNECTIONS = 6

async function start(): Promise<void> {
  const config = readConfig(process.env)
  // Logs go to stderr: stdout is for what the person who starts it should read.
  const destination = pino.destination({ fd: 2, sync: false })
  const log = pino({ level: config.logLevel }, destination)
  const wiring = wire(slices)

  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePoolSize,
    as: 'server',
    log: (message) => log.info(message),
  })
  const { sql, where } = database
  const pool = new pg.Pool({
    ...(typeof where === 'string' ? { connectionString: where } : where),
    max: WORKER_CONNECTIONS,
  })
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  const onBroken = (err: Error) => log.warn(`A connection to the database broke: ${err.message}`)
  pool.on('error', onBroken)
  pool.on('connect', (client) => client.on('error', onBroken))

  let app: Awaited<ReturnType<typeof createApp>> | undefined
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined
  const close = async () => {
    const force = setTimeout(() => app?.server.closeAllConnections(), FINISH_WITHIN_MS)
    await app?.close()
    clearTimeout(force)
    await worker?.stop()
    await pool.end()
    await database.close()
  }

  let stopping: Promise<void> | undefined
  const stop = (signal: string) => {
    stopping ??= close().then(
      () => {
        log.info(`stopped by ${signal}`)
        destination.flushSync()
        process.exit(0)
      },
      (err: Error) => {
        log.error({ err }, 'could not stop cleanly')
        destination.flushSync()
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  try {
    const applied = await migrate(sql)
    if (applied.length > 0) log.info(`applied migrations: ${applied.join(', ')}`)
    const first = await bootstrap(sql, wiring, config.bootstrap)
    app = await createApp({ ...config, sql, logger: { level: config.logLevel, stream: destination } })
    await app.listen({ host: config.host, port: config.port })
    welcome(config.baseUrl, first)
    if (config.worker) worker = await startWorker({ pool, sql, wiring, log })
  } catch (err) {
    if (!stopping) await close().catch(() => undefined)
    throw err
  }
}

function welcome(baseUrl: string, first: FirstThings | undefined): void {
  console.log(`Slipway listens on ${baseUrl}`)
  if (!first) return
  console.log(`
These are shown only this once:
  sign-in        ${first.email}
  password       ${first.password}
  external key   ${first.externalKey}
  reporting key  ${first.reportingKey}

Try it:
  curl -H "X-API-Key: ${first.externalKey}" ${baseUrl}/v2/external-api/health
`)
}

start().catch((err: unknown) => {
  console.error(readable(err))
  process.exit(1)
})

function readable(err: unknown): string {
  const { message, stack } = err as Error
  const code = errorCode(err)
  if (err instanceof ConfigError || isStartFailure(err)) return `Slipway cannot start: ${message}`
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return `Slipway cannot start: it may not listen there (${message}). Set HOST and PORT to something free.`
  if (isDatabaseAway(err)) return `Slipway cannot start: the database at DATABASE_URL does not answer (${message}).`
  return `Slipway cannot start: ${stack}`
}
