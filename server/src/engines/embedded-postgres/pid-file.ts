import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { isLocked } from './cluster-lock.ts'
import { errorCode } from './failure.ts'
import type { Home } from './home.ts'

const run = promisify(execFile)
const emptyRemnantAfterMs = 3_000
/** Root does not write through a link that the account of the database has made. */
const NO_LINK = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW

/** The contents of postmaster.pid. */
export interface Postmaster {
  pid: number
  port: number
  socketDir: string
  ready: boolean
}

export async function readPidFile(home: Home): Promise<Postmaster | undefined> {
  const text = await readText(pidFile(home))
  return text === undefined ? undefined : parse(text)
}

/** Returns the postmaster that runs on this cluster, in any state. Disowns a pid file that names another process. */
export async function findPostmaster(home: Home): Promise<Postmaster | undefined> {
  const text = await readText(pidFile(home))
  if (text === undefined) return undefined
  const postmaster = parse(text)
  if (!postmaster) {
    await removeEmptyRemnant(home)
    return undefined
  }
  if (postmaster.pid === process.pid) return undefined
  if (await runsOn(home, postmaster.pid)) return postmaster
  if (isAlive(postmaster.pid) && !(await isLocked(home))) await disown(home, text)
  return undefined
}

/** True if the process is a PostgreSQL on this cluster. The pid alone proves nothing, because pids are reused. */
export async function runsOn(home: Home, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform === 'linux') {
    const [its, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(home.cluster)]).catch(() => [])
    return its !== undefined && ours !== undefined && its.ino === ours.ino && its.dev === ours.dev
  }
  const { stdout } = await run('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return basename(stdout.trim()) === 'postgres'
}

/**
 * PostgreSQL respects a pid file whose process is alive, even if that process is not PostgreSQL, but never one that
 * names its own parent. So this writes our pid into the file instead of deleting it: PostgreSQL needs the rest of the
 * file to find backends that outlived their postmaster. Moves the file aside first, so it never overwrites a file that
 * a real postmaster has written in the meantime.
 */
async function disown(home: Home, judged: string): Promise<void> {
  const aside = `${pidFile(home)}.${process.pid}`
  try {
    await rename(pidFile(home), aside)
    const moved = await readFile(aside, 'utf8')
    if (moved === judged) await writeFile(aside, moved.replace(/^\d+/, String(process.pid)), { flag: NO_LINK })
    await link(aside, pidFile(home))
  } catch (err) {
    if (errorCode(err) !== 'ENOENT' && errorCode(err) !== 'EEXIST') throw err
  } finally {
    await rm(aside, { force: true })
  }
}

/** A crash or a full disk can leave an empty file, which PostgreSQL refuses forever. */
async function removeEmptyRemnant(home: Home): Promise<void> {
  const found = await stat(pidFile(home)).catch(() => undefined)
  if (found?.size === 0 && Date.now() - found.mtimeMs > emptyRemnantAfterMs) await rm(pidFile(home), { force: true })
}

function pidFile(home: Home): string {
  return join(home.cluster, 'postmaster.pid')
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (err) {
    if (errorCode(err) === 'ENOENT') return undefined
    throw err
  }
}

function parse(text: string): Postmaster | undefined {
  const [pid, , , port, socketDir, , , status] = text.split('\n')
  if (!pid || !/^\d+$/.test(pid)) return undefined
  return { pid: Number(pid), port: Number(port), socketDir: socketDir ?? '', ready: status?.trim() === 'ready' }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (err) {
    return errorCode(err) === 'EPERM'
  }
}
