import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { chownTo } from './account.ts'
import { explainDiskErrors } from './failure.ts'
import type { Home } from './home.ts'
import { type Postmaster, readPidFile, runsOn } from './pid-file.ts'

export const socketPort = 5432

// 104 bytes on macOS, 108 on Linux, including the terminating zero.
const maxSocketPathBytes = 103

const prefix = 'slipway-'
/** The number of characters that mkdtemp appends. */
const suffixLength = 6

/**
 * Chooses the socket folder for a postmaster that is about to start. Reuses the folder of a crashed postmaster, because
 * the drivers of a process that outlived it still connect there.
 */
export async function chooseSocketFolder(
  home: Home,
  wanted: string | undefined,
): Promise<{ folder: string; made: boolean }> {
  const left = wanted ?? (await readPidFile(home))?.socketDir
  if (left && isOurName(left)) {
    const made = wanted !== undefined && (await recreate(left, home))
    if (await isOurs(left, home)) {
      await removeStaleLock(left, home)
      return { folder: left, made }
    }
  }
  return { folder: await makeSocketFolder(home), made: true }
}

/**
 * Returns the path of the folder as this process sees it. The private /tmp of a systemd service is visible to others
 * only through /proc.
 */
export function visibleSocketFolder({ pid, socketDir, port }: Postmaster): string {
  const throughProc = `/proc/${pid}/root${socketDir}`
  const socket = `.s.PGSQL.${port}`
  return !existsSync(join(socketDir, socket)) && existsSync(join(throughProc, socket)) ? throughProc : socketDir
}

export async function removeSocketFolder(folder: string): Promise<void> {
  if (isOurName(folder)) await rm(folder, { recursive: true, force: true })
}

async function makeSocketFolder(home: Home): Promise<string> {
  // Other accounts often cannot enter root's TMPDIR (pam_tmpdir), so it is not the first choice for them.
  const places = home.account ? ['/tmp', tmpdir(), home.folder] : [tmpdir(), '/tmp', home.folder]
  const short = places.filter((place) => fits(join(place, prefix + '_'.repeat(suffixLength))))
  let failure: unknown
  for (const place of short) {
    try {
      const folder = await mkdtemp(join(place, prefix))
      await chownTo(folder, home.account)
      return folder
    } catch (err) {
      failure ??= err
    }
  }
  return explainDiskErrors(short[0] ?? tmpdir(), () => Promise.reject(failure))
}

async function recreate(folder: string, home: Home): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 })
    await chownTo(folder, home.account)
    return true
  } catch {
    return false
  }
}

/** PostgreSQL respects this file while the pid in it is alive, even if another program or a zombie has that pid. */
async function removeStaleLock(folder: string, home: Home): Promise<void> {
  const file = join(folder, `.s.PGSQL.${socketPort}.lock`)
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
  if (pid && !(await runsOn(home, pid))) await rm(file, { force: true })
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${socketPort}`)) <= maxSocketPathBytes
}

function isOurName(folder: string): boolean {
  return basename(folder).startsWith(prefix)
}

async function isOurs(folder: string, home: Home): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  const owner = home.account?.uid ?? process.getuid?.()
  return found?.isDirectory() === true && found.uid === owner && (found.mode & 0o077) === 0
}
