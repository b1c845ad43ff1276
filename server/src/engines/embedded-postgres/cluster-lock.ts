import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { chownTo, openToAppend } from './account.ts'
import { explainDiskErrors } from './failure.ts'
import type { Home } from './home.ts'

/*
 * PostgreSQL guards its data folder by the pid of its postmaster, which means nothing in another container on the same volume:
 * there a second postmaster would start and destroy the data. So every PostgreSQL process also inherits a file lock, which
 * the kernel knows wherever the process runs. A system without the flock command has PostgreSQL's own guard only.
 */

export const lockedElsewhere = 75

/** The file descriptor of the lock file in the programs that the script below starts. */
const descriptor = 3

const script = `if command -v flock >/dev/null; then flock -n ${descriptor}; [ $? -eq 1 ] && exit ${lockedElsewhere}; fi; exec "$0" "$@"`

/** Returns a command that takes the lock and then execs the program. The program and its children keep the lock. */
export function withLock(program: string, args: string[]): [string, string[]] {
  return ['/bin/sh', ['-c', script, program, ...args]]
}

export async function openLockFile(home: Home): Promise<FileHandle> {
  return explainDiskErrors(home.folder, async () => {
    const handle = await openToAppend(lockFile(home))
    await chownTo(lockFile(home), home.account)
    return handle
  })
}

export async function isLocked(home: Home): Promise<boolean> {
  const file = await openLockFile(home)
  try {
    const flock = spawn('flock', ['-n', String(descriptor)], { stdio: ['ignore', 'ignore', 'ignore', file.fd] })
    return await once(flock, 'exit').then(
      ([code]) => code === 1,
      () => false,
    )
  } finally {
    await file.close()
  }
}

function lockFile(home: Home): string {
  return join(home.folder, 'cluster.lock')
}
