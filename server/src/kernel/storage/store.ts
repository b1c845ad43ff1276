import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { errorCode } from '../database/index.ts'
import { refuseInsideTransaction } from '../database/transaction-guard.ts'
import { AppError, storageFull, unavailable } from '../errors.ts'

/**
 * Stores the bytes of files. The content of a key never changes: new content gets a new key, so a row always matches
 * its bytes. Keys are generated; the name that a user gives a file is never part of one.
 */
export interface Store {
  readonly bucket: string
  /** The prefix of all keys of this installation. Other installations may share the bucket. */
  readonly installationId: string
  /** The memory that a write occupies until it ends. */
  readonly writeBufferBytes: number
  /** The key exists only once all bytes are durable. If reading `bytes` fails, it never exists. */
  write(key: string, bytes: Readable): Promise<Written>
  /** Returns undefined if the key does not exist. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  stat(key: string): Promise<Stored | undefined>
  /** Also succeeds for keys that do not exist. */
  remove(keys: string[]): Promise<void>
  list(prefix: string): AsyncIterable<Stored>
  /** Removes uploads of this installation that started before the given time and never finished. */
  removeUnfinished(before: Date): Promise<void>
}

export interface Written {
  size: number
  /** In hexadecimal. */
  sha256: string
}

/** Both ends are inclusive. */
export interface ByteRange {
  start: number
  end: number
}

export interface Stored {
  key: string
  size: number
  modifiedAt: Date
}

const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

/** Refuses keys that lead out of the store or to its hidden files. */
export function checkedKey(key: string): string {
  if (key.length > 512 || !KEY.test(key)) throw new Error(`"${key}" is not a valid storage key.`)
  return key
}

/** Fails if the store is used inside a transaction. No transaction may wait for a disk or a bucket. */
export function outsideTransactions(store: Store): Store {
  const checked =
    <A extends unknown[], T>(run: (...args: A) => T) =>
    (...args: A): T => {
      refuseInsideTransaction('the store')
      return run(...args)
    }
  const { write, read, stat, remove, list } = store
  return {
    ...store,
    write: checked(write),
    read: checked(read),
    stat: checked(stat),
    remove: checked(remove),
    list: checked(list),
  }
}

export function createMeter(): { count(chunk: Buffer): void; written(): Written } {
  const hash = createHash('sha256')
  let size = 0
  return {
    count(chunk) {
      size += chunk.length
      hash.update(chunk)
    },
    written: () => ({ size, sha256: hash.digest('hex') }),
  }
}

/**
 * Turns a store error into a response. Its code must not leak, because it could be mistaken for a lost database
 * connection.
 */
export function storeFailure(err: unknown): AppError {
  if (err instanceof AppError) return err
  const full = ['ENOSPC', 'EDQUOT'].includes(errorCode(err) ?? '')
  const failure = full
    ? storageFull('The file storage')
    : unavailable('storage_unavailable', 'The file storage cannot be reached right now. Try again shortly.')
  failure.cause = err
  return failure
}
