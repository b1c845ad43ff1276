import { execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const run = promisify(execFile)
const here = import.meta.dirname
const dist = join(here, '..', 'server', 'dist', 'bundle')

export const POOL_SIZE = 10
const KEY = `sofa-ext-${'bench'.repeat(9).slice(0, 43)}`
const REPORTING_KEY = `sf-rpt-${'bench'.repeat(9).slice(0, 43)}`

/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

const children = []

/** Stops all processes that were started here, in reverse order, including those that do not listen yet. */
export async function stopAll() {
  for (const child of children.reverse()) await stop(child)
}

/** Starts the server as in production, with a rate limit that counts requests but never refuses one. */
export async function startServer(dataDir, nodeArgs) {
  const port = await freePort()
  const env = {
    ...process.env,
    DATABASE_URL: '',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: '',
    LOG_LEVEL: 'info',
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    RATE_LIMIT_EXTERNAL: '100000000',
    RATE_LIMIT_REPORTING: '100000000',
    BOOTSTRAP_PROJECT: 'My project',
    BOOTSTRAP_API_KEY: KEY,
    BOOTSTRAP_REPORTING_KEY: REPORTING_KEY,
  }
  const child = await start([...nodeArgs, join(dist, 'main.js')], env, `${dataDir}.log`)
  const origin = `http://127.0.0.1:${port}`
  const headers = { 'x-api-key': KEY }

  return {
    origin,
    headers,
    reportingHeaders: { 'x-api-key': REPORTING_KEY },
    pid: child.pid,
    /** Runs a command of the admin command line beside the server. */
    async admin(...args) {
      const running = run(process.execPath, [join(dist, 'admin.js'), ...args], { env })
      children.push(running.child)
      return JSON.parse((await running).stdout)
    },
    async call(method, path, body) {
      const key = path.startsWith('/v2/reporting-api') ? this.reportingHeaders : headers
      const json = body && { body: JSON.stringify(body), headers: { ...key, 'content-type': 'application/json' } }
      const res = await fetch(origin + path, { method, headers: key, ...json })
      const text = await res.text()
      if (!res.ok) throw new Error(`${method} ${path} was answered ${res.status}: ${text.slice(0, 500)}`)
      return JSON.parse(text)
    },
  }
}

export async function startFloor({ socketDir, projectId, log }) {
  const port = await freePort()
  const env = {
    ...process.env,
    SOCKET_DIR: socketDir,
    PORT: String(port),
    POOL_SIZE: String(POOL_SIZE),
    PROJECT_ID: projectId,
  }
  const child = await start([join(here, 'floor.mjs')], env, log)
  return { origin: `http://127.0.0.1:${port}`, headers: {}, reportingHeaders: {}, pid: child.pid }
}

export function startLoad(seeded) {
  const child = fork(join(here, 'load.mjs'))
  children.push(child)
  child.send(seeded)
  let settle
  child.on('message', (result) => settle.resolve(result))
  child.on('exit', (code, signal) => settle?.reject(new Error(`The load process ended: ${signal ?? code}.`)))
  return {
    measure: (job) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject }
        child.send(job)
      }),
  }
}

/** Resolves when the process reports on stdout that it listens. */
async function start(args, env, logFile) {
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', log] })
  closeSync(log)
  children.push(child)
  const lines = createInterface({ input: child.stdout })
  await new Promise((resolve, reject) => {
    lines.on('line', (line) => line.includes(' listens') && resolve())
    child.once('exit', async (code) =>
      reject(new Error(`${args.at(-1)} ended with ${code}:\n${await readFile(logFile, 'utf8')}`)),
    )
  })
  return child
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Returns where the embedded PostgreSQL listens. */
export async function findPostgres(dataDir) {
  const lines = (await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')
  return { pid: Number(lines[0]), socketDir: lines[4] }
}

/** Returns the processor time that processes have used, by pid, in steps of 10 ms. Linux only. */
async function cpuSeconds(isWanted) {
  const used = new Map()
  for (const pid of (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields && isWanted(pid, Number(fields[1]))) used.set(pid, (Number(fields[11]) + Number(fields[12])) / 100)
  }
  return used
}

/** Starts to count. The returned function returns what the contender and PostgreSQL have used since. */
export async function countCpu(contenderPid, postmasterPid) {
  const read = () => cpuSeconds((pid, parent) => pid === contenderPid || parent === postmasterPid)
  const before = await read()
  return async () => {
    const spent = { contender: 0, postgres: 0 }
    for (const [pid, seconds] of await read())
      spent[pid === contenderPid ? 'contender' : 'postgres'] += seconds - (before.get(pid) ?? 0)
    return spent
  }
}

/** Returns the resident memory in MB, now and at its peak. Linux only. */
export async function memoryOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const read = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024
  return { now: read('VmRSS'), peak: read('VmHWM') }
}
