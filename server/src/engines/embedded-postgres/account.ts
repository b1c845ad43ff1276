import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { chmod, type FileHandle, lchown, lstat, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errorCode, startFailure } from './failure.ts'

const run = promisify(execFile)

/** The account that PostgreSQL runs under if Slipway runs as root. PostgreSQL itself refuses to run as root. */
export interface Account {
  uid: number
  gid: number
}

/**
 * Returns undefined if PostgreSQL should run as the current user. Root uses the owner of the database, or else of the data
 * folder, so that the operator can keep installations apart; folders of root share one account.
 */
export async function chooseAccount(cluster: string, dataDir: string): Promise<Account | undefined> {
  // Not what a link leads to: the account could put one in place of the database and be given any folder of root.
  const owner = await lstat(cluster).catch((err) => {
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
  const { uid: dataOwner } = await stat(dataDir)
  const account =
    // PostgreSQL needs an account with a name. The owner of a folder that is mounted into a container often has none.
    (dataOwner === 0 ? undefined : await findAccount(String(dataOwner))) ??
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

/**
 * Gives away what belongs to this process. It changes the opened file, and opens no links: the account may be able to
 * replace the name by a link to a file of root.
 */
export async function chownTo(path: string, account: Account | undefined): Promise<void> {
  if (!account) return
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((err) => {
    if (errorCode(err) === 'ELOOP') return undefined
    throw err
  })
  if (!file) return
  try {
    const found = await file.stat()
    const isOurs = found.uid === process.getuid?.() && (found.isDirectory() || found.nlink === 1)
    if (isOurs) await file.chown(account.uid, account.gid)
  } finally {
    await file.close()
  }
}

/**
 * Opens a file to append to it, or creates it. Refuses a link: the account could lead root to append to any file, or to
 * create one anywhere.
 */
export async function openToAppend(path: string): Promise<FileHandle> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  return open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600).catch((err) => {
    if (errorCode(err) !== 'ELOOP') throw err
    throw startFailure(`"${path}" is a link, which Slipway does not follow. Replace it by a file, or remove it.`)
  })
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
