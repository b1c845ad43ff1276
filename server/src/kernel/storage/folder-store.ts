import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, opendir, rename, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorCode } from '../database/index.ts'
import { storageFull } from '../errors.ts'
import { isUuid } from '../uuid.ts'
import {
  type ByteRange,
  checkedKey,
  createMeter,
  outsideTransactions,
  type Store,
  type Stored,
  storeFailure,
  type Written,
} from './store.ts'

/**
 * Cannot collide with a key, which never starts with a dot. On the same file system, so files can be moved into place.
 */
const UNFINISHED = '.unfinished'
/** What the streams between a request and the disk hold back. */
const WRITE_BUFFER_BYTES = 128 * 1024

/** Free disk space is checked each time this many bytes have been written. */
const CHECK_EVERY_BYTES = 1024 * 1024

interface FolderOptions {
  folder: string
  bucket: string
  installationId: string
  /** Disk space that uploads must leave free. The embedded PostgreSQL needs it too and stops without it. */
  minFreeBytes?: number
  /** Returns the free disk space. Replaced in tests only. */
  freeBytesOf?: (folder: string) => Promise<number>
}

/** Stores files in a local folder. */
export function createFolderStore({
  folder,
  bucket,
  installationId,
  minFreeBytes = 0,
  freeBytesOf = askDisk,
}: FolderOptions): Store {
  const unfinished = path.join(folder, UNFINISHED)
  const fileOf = (key: string) => path.join(folder, ...checkedKey(key).split('/'))

  async function write(key: string, bytes: Readable): Promise<Written> {
    const file = fileOf(key)
    const temporary = path.join(unfinished, randomUUID())
    try {
      await mkdir(unfinished, { recursive: true, mode: 0o700 })
      await refuseWithoutRoom()
      const meter = createMeter()
      let unchecked = 0
      const measured = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          meter.count(chunk)
          unchecked += chunk.length
          if (unchecked < CHECK_EVERY_BYTES) return done(null, chunk)
          unchecked = 0
          refuseWithoutRoom().then(() => done(null, chunk), done)
        },
      })
      await pipeline(bytes, measured, createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }))
      await makeFolder(path.dirname(file))
      await rename(temporary, file)
      await syncFolder(path.dirname(file))
      return meter.written()
    } catch (err) {
      bytes.destroy()
      await rm(temporary, { force: true }).catch(() => undefined)
      throw storeFailure(err)
    }
  }

  async function refuseWithoutRoom(): Promise<void> {
    if (minFreeBytes > 0 && (await freeBytesOf(folder)) < minFreeBytes) throw storageFull('The file storage')
  }

  /** Creates a folder durably: its contents survive a crash only if its own entry is on disk. */
  async function makeFolder(wanted: string): Promise<void> {
    const first = await mkdir(wanted, { recursive: true, mode: 0o700 })
    if (first === undefined) return
    for (let made = wanted; made.length >= first.length; made = path.dirname(made)) await syncFolder(path.dirname(made))
  }

  async function read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const file = fileOf(key)
    try {
      const handle = await open(file, 'r')
      if ((await handle.stat()).isFile()) return handle.createReadStream({ ...range })
      await handle.close()
      return undefined
    } catch (err) {
      if (isMissing(err)) return undefined
      throw storeFailure(err)
    }
  }

  async function statKey(key: string): Promise<Stored | undefined> {
    const file = fileOf(key)
    try {
      const found = await stat(file)
      return found.isFile() ? { key, size: found.size, modifiedAt: found.mtime } : undefined
    } catch (err) {
      if (isMissing(err)) return undefined
      throw storeFailure(err)
    }
  }

  async function remove(keys: string[]): Promise<void> {
    const files = keys.map(fileOf)
    try {
      for (const file of files) await rm(file, { force: true })
    } catch (err) {
      throw storeFailure(err)
    }
  }

  async function* list(prefix: string): AsyncGenerator<Stored> {
    // The folder that the prefix ends in. Only its descendants can match.
    const below = prefix.slice(0, prefix.lastIndexOf('/') + 1)
    for await (const key of keysBelow(below))
      if (key.startsWith(prefix)) {
        const found = await statKey(key)
        if (found) yield found
      }
  }

  async function* keysBelow(below: string): AsyncGenerator<string> {
    let entries: Awaited<ReturnType<typeof opendir>>
    try {
      entries = await opendir(path.join(folder, ...below.split('/')))
    } catch (err) {
      if (isMissing(err)) return
      throw storeFailure(err)
    }
    for await (const entry of entries) {
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) yield* keysBelow(`${below}${entry.name}/`)
      else if (entry.isFile()) yield below + entry.name
    }
  }

  async function removeUnfinished(before: Date): Promise<void> {
    try {
      for await (const entry of await opendir(unfinished)) {
        const file = path.join(unfinished, entry.name)
        const found = isUuid(entry.name) ? await stat(file).catch(() => undefined) : undefined
        if (found && found.mtime < before) await rm(file, { force: true })
      }
    } catch (err) {
      if (!isMissing(err)) throw storeFailure(err)
    }
  }

  return outsideTransactions({
    bucket,
    installationId,
    writeBufferBytes: WRITE_BUFFER_BYTES,
    write,
    read,
    stat: statKey,
    remove,
    list,
    removeUnfinished,
  })
}

async function askDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** A new name is durable only after its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isMissing = (err: unknown) => ['ENOENT', 'ENOTDIR'].includes(errorCode(err) ?? '')
