import { existsSync } from 'node:fs'
import type { Account } from './account.ts'

// PostgreSQL must not inherit the caller's environment: LANG, TZ or PGOPTIONS would change how the same data behaves.
export const programEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Returns the options to start a PostgreSQL program in a data folder, even if the account cannot enter the parent
 * folders.
 */
export function programOptions(dataFolder: string, account: Account | undefined) {
  return { cwd: dataFolder, env: programEnvironment, ...(account && { uid: account.uid, gid: account.gid }) }
}

/**
 * Returns the path that the program must use for its data folder. The process enters its working folder before it drops
 * root's rights, and this link to it resolves without walking the parents. So the account needs no permission to enter
 * /root, and the length of the path does not matter.
 */
export function workingFolderPath(dataFolder: string): string {
  return existsSync('/proc/self/cwd') ? '/proc/self/cwd' : dataFolder
}
