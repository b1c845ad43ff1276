import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEachFile } from '../clean-up.ts'
import { clusterOf, isPostmasterOf, postmasterPid } from '../embedded-postgres/data-folder.ts'
import { type Answer, type Client, eventually } from '../harness.ts'

export const repository = fileURLToPath(new URL('../../../', import.meta.url))
const mainProgram = join(repository, 'server/dist/bundle/main.js')
const adminProgram = join(repository, 'server/dist/bundle/admin.js')

type Env = Record<string, string>

export const externalKey = `sofa-ext-${'e'.repeat(43)}`
export const reportingKey = `sf-rpt-${'r'.repeat(43)}`
/** Settings for a first start with known keys. */
export const knownKeys: Env = { BOOTSTRAP_API_KEY: externalKey, BOOTSTRAP_REPORTING_KEY: reportingKey }

export const START_WITHIN_MS = 60_000

const folders: string[] = []
const launched: { child: ChildProcess; detached: boolean }[] = []

afterEachFile(async () => {
  for (const { child, detached } of launched.splice(0)) {
    child.kill('SIGKILL')
    if (detached) endGroup(child.pid!)
  }
  for (const folder of folders.splice(0)) {
    await endPostgres(folder)
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Returns a data folder for this file. Ends whatever still runs in it afterwards. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'process-'))
  folders.push(folder)
  return folder
}

/** Returns a port below the ephemeral range, so no other process gets it by chance in the meantime. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 17_000)
    const free = await new Promise<boolean>((resolve) => {
      const probe = createServer().once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (free) return port
  }
}

interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

interface Running {
  pid: number
  stdout(): string
  stderr(): string
  /** The log lines so far, without an incomplete last one. */
  logged(): Record<string, unknown>[]
  ended(): Ending | undefined
  exited: Promise<Ending>
}

interface LaunchOptions {
  /** Gives it a process group of its own, as in a terminal. */
  detached?: boolean
  /** Where its stderr goes instead of to `stderr()`. */
  stderr?: number
  cwd?: string
}

function launch(command: string, args: string[], env: Env, options: LaunchOptions = {}): Running {
  const { detached = false, stderr, cwd = repository } = options
  const { PATH = '', HOME = '', TMPDIR } = process.env
  const child = spawn(command, args, {
    cwd,
    detached,
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...env },
    stdio: ['ignore', 'pipe', stderr ?? 'pipe'],
  })
  launched.push({ child, detached })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
      said[stream] += chunk
    })
  }
  let ended: Ending | undefined
  const exited = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      ended = { code, signal }
      resolve(ended)
    })
  })
  return {
    pid: child.pid!,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    logged: () => completeLines(said.stderr).flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : [])),
    ended: () => ended,
    exited,
  }
}

/** Drops the last line, which may be incomplete. */
export const completeLines = (text: string) => text.split('\n').slice(0, -1)

export interface RunningServer extends Running {
  url: string
  port: number
  client(key?: string): Pick<Client, 'get' | 'post' | 'patch'>
}

interface StartOptions {
  dataDir: string
  env?: Env
  /** Starts through `npm start`, in its own process group as in a terminal. */
  npm?: boolean
  /** Starts what is installed in this folder, through `npx`. */
  installedIn?: string
  /** Where its log goes instead of to `stderr()`. */
  stderr?: number
}

/** Starts the server without waiting for anything. */
export function launchServer({ dataDir, env = {}, npm = false, installedIn, ...options }: StartOptions): Running {
  const all = { DATA_DIR: dataDir, ...env }
  if (installedIn) return launch('npx', ['slipway', 'start'], all, { ...options, cwd: installedIn, detached: true })
  return npm
    ? launch('npm', ['start'], all, { ...options, detached: true })
    : launch(process.execPath, [mainProgram], all, options)
}

/** Starts the server and waits until it is ready. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const port = await freePort()
  const server = launchServer({ ...options, env: { PORT: String(port), ...options.env } })
  const url = `http://127.0.0.1:${port}`
  await eventually(async () => {
    if (server.ended()) throw new Error(`The server ended while starting. It said:\n${server.stderr()}`)
    return server.stdout().includes('Slipway listens') && (await statusOf(`${url}/readyz`)) === 200
  }, START_WITHIN_MS)
  return { ...server, url, port, client: (key = externalKey) => clientOf(url, key) }
}

/** Runs a start that is expected to fail, until it exits. */
export async function failToStart(options: StartOptions): Promise<Ending & { stdout: string; stderr: string }> {
  return finished(launchServer(options))
}

async function finished(program: Running) {
  const ending = await program.exited
  return { ...ending, stdout: program.stdout(), stderr: program.stderr() }
}

type Flags = Record<string, string | true>

const words = (command: string, flags: Flags) => [
  ...command.split(' '),
  ...Object.entries(flags).flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, value])),
]

/** Runs one command of the admin command line. */
export function admin(dataDir: string, command: string, flags: Flags = {}, env: Env = {}) {
  return finished(launch(process.execPath, [adminProgram, ...words(command, flags)], { DATA_DIR: dataDir, ...env }))
}

export function adminThroughNpm(dataDir: string, command: string, flags: Flags = {}) {
  return finished(
    launch('npm', ['run', '-s', 'admin', '--', ...words(command, flags)], { DATA_DIR: dataDir }, { detached: true }),
  )
}

/** Runs a program in a folder, and returns what it printed. */
export async function outputOf(cwd: string, command: string, args: string[], env: Env = {}): Promise<string> {
  const { code, stdout, stderr } = await finished(launch(command, args, env, { cwd, detached: true }))
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`)
  return stdout
}

/** Returns the JSON value that a command printed. Fails if it did not succeed or printed anything else. */
export async function printed(run: ReturnType<typeof admin>) {
  const { code, stdout, stderr } = await run
  if (code !== 0) throw new Error(`The command ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

export async function statusOf(url: string, headers: Env = {}): Promise<number | undefined> {
  try {
    const res = await fetch(url, { headers })
    await res.arrayBuffer()
    return res.status
  } catch {
    return undefined
  }
}

function clientOf(url: string, key: string): ReturnType<RunningServer['client']> {
  const call = async (method: string, path: string, body: unknown, headers: Env = {}): Promise<Answer> => {
    const res = await fetch(`${url}/v2/external-api${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await res.arrayBuffer())
    const text = bytes.toString('utf8')
    const json = res.headers.get('content-type')?.includes('json') && text !== ''
    return {
      status: res.status,
      headers: Object.fromEntries(res.headers),
      body: json ? JSON.parse(text) : undefined,
      text,
      bytes,
    }
  }
  return {
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    patch: (path, body, headers) => call('PATCH', path, body, headers),
  }
}

export const createBatch = (requestId: string, ...titles: string[]) => ({
  request_id: requestId,
  operations: titles.map((title, index) => ({
    operation_id: `op-${index}`,
    operation_type: 'CreateWorkOrder',
    patch: { title },
  })),
})

/** Creates a work order and returns its id. */
export async function addWorkOrder(server: RunningServer, title: string): Promise<string> {
  const { status, body, text } = await server.client().post('/work_orders/batch_create', createBatch(title, title))
  if (status !== 200) throw new Error(`No work order was made: ${text}`)
  return body.results['op-0'].work_order_id
}

/** Opens a pool on the embedded PostgreSQL of a data folder, bypassing the server. */
export function openPool(dataDir: string): pg.Pool {
  const [, , , port, host] = readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')
  const pool = new pg.Pool({ host, port: Number(port), user: 'slipway', database: 'slipway', max: 4 })
  // Tests that stop PostgreSQL break these connections on purpose.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Returns the pid of the embedded PostgreSQL, if it is running. */
export function postgresOf(dataDir: string): number | undefined {
  const pid = postmasterPid(dataDir)
  return pid !== undefined && isPostmasterOf(dataDir, pid) ? pid : undefined
}

async function endPostgres(dataDir: string): Promise<void> {
  const pid = postgresOf(dataDir)
  if (pid === undefined) return
  const [, , , , socketDir] = readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')
  process.kill(pid, 'SIGQUIT')
  await eventually(() => !isPostmasterOf(dataDir, pid))
  if (socketDir) rmSync(socketDir, { recursive: true, force: true })
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Everything has ended.
  }
}
