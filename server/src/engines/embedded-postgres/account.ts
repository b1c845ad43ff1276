import { execFile } from 'node:child_process'
import { chmod, chown, lchown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startFailure } from './failure.ts'

const run = promisify(execFile)

/** The account that PostgreSQL runs under if Slipway runs as root. PostgreSQL itself refuses to run as root. */
export interface Account {
  uid: number
  gid: number
}

/** Returns undefined if PostgreSQL should run as the current user. */
export async function chooseAccount(cluster: string): Promise<Account | undefined> {
  const owner = await stat(cluster).catch((err) => {
    if (err.code === 'ENOENT') return undefined
    throw err
  })
  const uid = process.getuid?.()
  if (uid !== 0) {
    if (owner && uid !== undefined && owner.uid !== uid) {
      throw startFailure(
        `The database in "${cluster}" belongs to the user with the id ${owner.uid}, but Slipway was started by the user with the id ${uid}. Start Slipway as its owner or as root, or set DATA_DIR to another folder.`,
      )
    }
    return undefined
  }
  if (owner && owner.uid !== 0) return accountOf(owner)
  const account =
    (await findAccount('slipway')) ??
    (await createAccount('slipway')) ??
    (await findAccount('postgres')) ??
    (await findAccount('nobody'))
  if (!account) {
    throw startFailure(
      'PostgreSQL does not run as root, and no account was found that it could run under. Create one with "useradd --system slipway", start Slipway as an ordinary user, or set DATABASE_URL.',
    )
  }
  // Happens when root restores a backup.
  if (owner) await chownTree(cluster, account)
  return account
}

/**
 * Returns the account that owns a file. Never returns root's group, which a folder often keeps when its owner changes.
 */
export async function accountOf({ uid, gid }: Account): Promise<Account> {
  return { uid, gid: gid || ((await findAccount(String(uid)))?.gid ?? uid) }
}

export async function chownTo(path: string, account: Account | undefined): Promise<void> {
  if (account) await chown(path, account.uid, account.gid)
}

/** PostgreSQL refuses a data folder that others can read. Copies often have such permissions. */
export async function makePrivate(cluster: string): Promise<void> {
  const { mode } = await stat(cluster)
  if ((mode & 0o027) !== 0) await chmod(cluster, 0o700)
}

export async function chownTree(folder: string, account: Account): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid)
  }
  await lchown(folder, account.uid, account.gid)
}

async function findAccount(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

async function createAccount(name: string): Promise<Account | undefined> {
  await run('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name]).catch(() => undefined)
  // Looks the account up even if useradd failed: a concurrent start may have created it.
  return findAccount(name)
}
