import { spawn } from 'node:child_process'
import { mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { chownTo } from './account.ts'
import { cannotRun, findRuntime } from './binaries.ts'
import { diskFailure, errorCode, lastLines, startFailure } from './failure.ts'
import type { Home } from './home.ts'
import { programOptions, workingFolderPath } from './program.ts'

const postgresVersion = '18'
const abandonedAfterMs = 10 * 60_000

const clusterOptions = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--username=slipway',
  '--auth=trust',
  '--no-instructions',
]

/** Creates the cluster if it does not exist. It appears under its final name only when it is complete. */
export async function ensureCluster(home: Home, signal?: AbortSignal): Promise<void> {
  const version = await readVersion(home)
  if (version === postgresVersion) return
  if (version !== undefined) {
    throw startFailure(
      `The database in "${home.cluster}" was made by PostgreSQL ${version}, but this Slipway comes with PostgreSQL ${postgresVersion}. Start the Slipway that made it, take a backup there and restore it here.`,
    )
  }
  await removeAbandoned(home.folder)
  const runtime = await findRuntime(home)
  home.log(`Creating a new database in "${home.cluster}".`)
  signal?.throwIfAborted()
  const fresh = await mkdtemp(`${home.cluster}.new-`)
  try {
    await chownTo(fresh, home.account)
    await runInitdb(home, runtime, fresh, signal)
    await rename(fresh, home.cluster)
    await syncFolder(home.folder)
  } catch (err) {
    signal?.throwIfAborted()
    // A concurrent start won. Its cluster is just as good.
    if (await readVersion(home)) return
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(errorCode(err) ?? '')) throw notCluster(home, err)
    throw err
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

async function runInitdb(home: Home, runtime: string, fresh: string, signal: AbortSignal | undefined): Promise<void> {
  const options = home.settings.fsync === 'off' ? [...clusterOptions, '--no-sync'] : clusterOptions
  const { code, output } = await new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    let output = ''
    const initdb = spawn(join(runtime, 'bin', 'initdb'), ['-D', workingFolderPath(fresh), ...options], {
      ...programOptions(fresh, home.account),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    initdb.stdout.on('data', (chunk) => (output += chunk))
    initdb.stderr.on('data', (chunk) => (output += chunk))
    initdb.once('error', (err) => reject(cannotRun(runtime, err)))
    const end = () => initdb.kill()
    signal?.addEventListener('abort', end)
    initdb.once('close', (code) => {
      signal?.removeEventListener('abort', end)
      resolve({ code, output })
    })
  })
  signal?.throwIfAborted()
  if (code === 0) return
  if (/could not look up effective user ID/.test(output)) {
    throw startFailure(
      `PostgreSQL needs a name for the user with the id ${process.getuid?.()}, and the system knows none. Add the user to /etc/passwd, or set DATABASE_URL to a PostgreSQL server of your own.`,
      output,
    )
  }
  throw (
    (await diskFailure(home.folder, output)) ??
    startFailure(`PostgreSQL could not create a database in "${home.cluster}". It said:\n${lastLines(output)}`, output)
  )
}

async function readVersion(home: Home): Promise<string | undefined> {
  try {
    return (await readFile(join(home.cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (err) {
    if (errorCode(err) === 'ENOENT') return undefined
    throw (await diskFailure(home.cluster, err)) ?? err
  }
}

function notCluster(home: Home, cause: unknown): Error {
  return startFailure(
    `The folder "${home.cluster}" has something in it that is not a PostgreSQL database. Move it away, or set DATA_DIR to another folder.`,
    cause,
  )
}

/** A killed start leaves its folder behind. The folder of a running start is recent. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('cluster.new-')) continue
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > abandonedAfterMs) {
      await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
