import { execFile } from 'node:child_process'
import { mkdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Config } from './config.ts'
import { type Account, accountOf, chownTo, chownTree } from './engines/embedded-postgres/account.ts'
import { filesFolder } from './kernel/storage/index.ts'

const run = promisify(execFile)

/** As the command `test` names it. */
type Right = '-r' | '-w' | '-x'

/**
 * Returns the account that a root process should switch to, after giving it the files that it must write. Returns
 * undefined to stay: the process is not root, or the account could not load modules later.
 */
export async function chooseAccountToBecome(
  config: Pick<Config, 'dataDir' | 's3' | 'settings'>,
  databaseAccount: Account | undefined,
  log: (message: string) => void,
): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { dataDir } = config
  const files = config.s3 ? undefined : filesFolder(dataDir)
  const owner = await ownerOf(dataDir)
  const account = databaseAccount ?? owner
  if (!account) {
    log(
      `Slipway keeps running as root: "${dataDir}" belongs to root. Change the owner of the folder to the account that Slipway should run as.`,
    )
    return undefined
  }
  // Created now, because the account could not create them in a folder that it does not own.
  await config.settings.secretKey()
  if (files !== undefined) await mkdir(files, { recursive: true, mode: 0o700 })
  // Only if root owns the data folder: its owner could replace parts of the tree by links to files of root.
  if (files !== undefined && !owner && (await isRoots(files))) await chownTree(files, account)
  for (const given of [path.join(dataDir, 'secret-key'), ...(files ? [files] : [])])
    if (await isRoots(given)) await chownTo(given, account)

  const needed: [verb: string, right: Right, what: string][] = [
    ['read', '-r', fileURLToPath(import.meta.url)],
    ['read', '-r', createRequire(import.meta.url).resolve('graphile-worker')],
    ['enter', '-x', dataDir],
    ...(files ? [['write to', '-w', files] satisfies [string, Right, string]] : []),
  ]
  for (const [verb, right, what] of needed) {
    if (await may(account, right, what)) continue
    log(
      `Slipway keeps running as root: the account with the id ${account.uid} cannot ${verb} "${what}". Allow it, or start Slipway as an ordinary user.`,
    )
    return undefined
  }
  if (!owner)
    log(
      `Slipway continues as the account with the id ${account.uid}, which all installations with a data folder of root share. To keep this one apart, stop it and give "${dataDir}" with all that is in it to an account that only it uses.`,
    )
  return account
}

/** Irrevocable: nothing in this process, its threads or its children has root rights afterwards. */
export function becomeAccount({ uid, gid }: Account): void {
  process.setgroups!([gid])
  process.setgid!(gid)
  process.setuid!(uid)
}

const isRoots = async (file: string) => (await stat(file).catch(() => undefined))?.uid === 0

async function ownerOf(folder: string): Promise<Account | undefined> {
  const owner = await stat(folder).catch(() => undefined)
  return owner && owner.uid !== 0 ? accountOf(owner) : undefined
}

function may({ uid, gid }: Account, right: Right, what: string): Promise<boolean> {
  return run('test', [right, what], { cwd: '/', uid, gid }).then(
    () => true,
    () => false,
  )
}
