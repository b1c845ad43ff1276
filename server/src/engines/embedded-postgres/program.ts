import { existsSync } from 'node:fs'
import type { Account } from './account.ts'

// Nothing of the caller's environment may reach PostgreSQL: LANG, TZ or PGOPTIONS would change how the same data behaves.
export const programEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

/** How to start a PostgreSQL program with a data folder, whatever the folders above it permit. */
export function programOptions(dataFolder: string, account: Account | undefined) {
  return { cwd: dataFolder, env: programEnvironment, ...(account && { uid: account.uid, gid: account.gid }) }
}

/**
 * The data folder as the program should name it. The working folder is entered before root's rights are dropped, and this
 * link to it resolves without walking the parents: the account needs no right to pass /root, and no depth is too deep.
 */
export function nameOfWorkingFolder(dataFolder: string): string {
  return existsSync('/proc/self/cwd') ? '/proc/self/cwd' : dataFolder
}
