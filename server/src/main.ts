import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pino, { type DestinationStream, type Logger } from 'pino'
import { type App, createApp, slices } from './app.ts'
import { bootstrap, welcome } from './bootstrap.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { isStartFailure } from './engines/embedded-postgres/index.ts'
import type { BackgroundDeps } from './kernel/context.ts'
import { errorCode } from './kernel/database/index.ts'
import { migrate } from './kernel/database/migrate.ts'
import { migrateQueue, startWorker } from './kernel/jobs/jobs.ts'
import { noteSecretKey } from './kernel/secret-key.ts'
import { startBackground, wire } from './kernel/slice.ts'
import { loadInstallationId, openStore } from './kernel/storage/index.ts'
import { endReaders } from './kernel/threads/reader.ts'
import { databaseFault, openDatabase } from './open-database.ts'
import { loadUserByEmail } from './product/accounts/index.ts'
import { becomeAccount, chooseAccountToBecome } from './root-rights.ts'

const FINISH_WITHIN_MS = 10_000
const LOG_WITHIN_MS = 1_000

/** What was opened, in order. It is closed in reverse. */
type Opened = (() => Promise<unknown>)[]

/** Runs until the signal aborts, then ends the process. */
export async function main(stop: AbortSignal): Promise<void> {
  try {
    await run(stop)
    process.exit(0)
  } catch (err) {
    console.error(readable(err))
    process.exit(1)
  }
}

async function run(stop: AbortSignal): Promise<void> {
  const config = readConfig(process.env)
  // Logs go to stderr: stdout is for the person who starts the server.
  const destination = pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 200 })
  const log = pino({ level: config.logLevel }, destination)
  const opened: Opened = []
  const told = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()))
  try {
    stop.throwIfAborted()
    await open(config, log, destination, opened, stop)
    await told
  } catch (err) {
    if (!stop.aborted) {
      await closeAll(opened).catch(() => undefined)
      await endLog(destination)
      throw err
    }
  }
  await closeAll(opened)
  log.info(`stopped by ${stop.reason}`)
  await endLog(destination)
}

/** Writes the rest of the log. If nobody reads it any more, pino would try forever when the process exits. */
async function endLog(destination: ReturnType<typeof pino.destination>): Promise<void> {
  const written = new Promise<void>((resolve) => destination.flush(() => resolve()))
  await Promise.race([written, delay(LOG_WITHIN_MS)])
  destination.destroy()
}

async function open(
  config: Config,
  log: Logger,
  destination: DestinationStream,
  opened: Opened,
  stop: AbortSignal,
): Promise<void> {
  await tryToListen(config)
  const wiring = wire(slices, config.settings)
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePoolSize,
    as: 'server',
    log: (message) => log.info(message),
    signal: stop,
  })
  opened.push(() => database.close())
  stop.throwIfAborted()
  const { sql } = database
  const applied = await migrate(sql)
  await migrateQueue(sql)
  if (applied.length > 0) log.info(`applied migrations: ${applied.join(', ')}`)
  stop.throwIfAborted()
  if (!(await noteSecretKey(sql, await config.settings.secretKey())))
    log.warn(
      'SECRET_KEY (or DATA_DIR/secret-key) is not the key of the node that started last. All nodes need the same one: with different keys, people are signed out again and again, and what is encrypted in the database cannot be read.',
    )
  stop.throwIfAborted()
  const first = await bootstrap({ db: sql, wiring, log }, config.bootstrap)
  // Prints the secrets before anything else can fail, because they are never shown again.
  if (first) console.log(welcome(config.baseUrl, first))
  const store = openStore(config, await loadInstallationId(sql))
  const app = await createApp({ ...config, sql, store, logger: { level: config.logLevel, stream: destination } })
  const working: { stop(finishWithinMs: number): Promise<void> }[] = []
  opened.push(() => {
    endReaders()
    return Promise.all([finish(app), ...working.map((one) => one.stop(FINISH_WITHIN_MS))])
  })
  const account = await chooseAccountToBecome(config, database.account, (message) => log.info(message))
  // Only root may listen on ports below 1024. The server answers nothing before it has dropped root rights.
  if (account) app.server.once('listening', () => becomeAccount(account))
  stop.throwIfAborted()
  await app.listen({ host: config.host, port: config.port })
  if (first && config.demo) await fillDemoFor(first.email, { db: sql, wiring, store, log }, config.baseUrl)
  if (config.worker)
    working.push(startWorker({ sql, wiring, store, log }), startBackground(slices, { db: sql, wiring, store, log }))
  console.log(`Slipway listens on ${config.baseUrl}`)
  if (config.baseUrl.startsWith('https:')) console.log(plainHttpNotice(app, config.baseUrl))
}

/** Slipway ends no TLS itself, so an https address needs a proxy. Without one, signing in would fail without a word. */
function plainHttpNotice(app: App, baseUrl: string): string {
  const { address, family, port } = app.server.address() as AddressInfo
  const host = family === 'IPv6' ? `[${address}]` : address
  return `It speaks plain HTTP at http://${host}:${port}, for a proxy with TLS in front. People can sign in at ${baseUrl} only.`
}

/** Fails before anything is created, and before a first start prints its secrets, if the server could not listen. */
async function tryToListen({ host, port }: Config): Promise<void> {
  const probe = createServer((socket) => socket.destroy()).listen(port, host)
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}

/** Before the worker starts, which would answer what happens in the story. The owner takes its main part. */
async function fillDemoFor(email: string, deps: BackgroundDeps, baseUrl: string): Promise<void> {
  const { fillDemo, describeDemo } = await import('./demo/index.ts')
  console.log('Filling the demo project, which takes a few seconds …')
  console.log(describeDemo(baseUrl, await fillDemo(deps, await loadUserByEmail(deps.db, email))))
}

async function closeAll(opened: Opened): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close()
}

/** Stops accepting connections and gives running requests some time to finish. */
async function finish(app: App): Promise<void> {
  // A connection that was busy when closing began stays open after its response until someone closes it.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  const force = setTimeout(() => app.server.closeAllConnections(), FINISH_WITHIN_MS)
  await app.close()
  clearInterval(sweep)
  clearTimeout(force)
}

function readable(err: unknown): string {
  const { message, stack } = err as Error
  const code = errorCode(err)
  if (err instanceof ConfigError || isStartFailure(err)) return `Slipway cannot start: ${message}`
  const { syscall, address, port } = err as { syscall?: string; address?: string; port?: number }
  if (code === 'EADDRINUSE' && port !== undefined)
    return `Slipway cannot start: port ${port} of ${address} is in use. Set PORT to a free port, such as PORT=${port + 1}, or stop the program that uses it.`
  if (syscall === 'listen')
    return `Slipway cannot start: it may not listen there (${message}). Set HOST and PORT to an address of this machine and a port that you may use.`
  return `Slipway cannot start: ${databaseFault(err, process.env.DATABASE_URL) ?? stack}`
}
