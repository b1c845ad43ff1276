import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { errorCode } from '../database/index.ts'
import { refuseInsideTransaction } from '../database/transaction-guard.ts'
import { AppError, storageFull, unavailable } from '../errors.ts'

/**
 * Where the bytes of files lie. What is under a key never changes: new content gets a new key, so that a row and its
 * bytes always fit. Keys are made by us; what a person calls a file never becomes part of one.
 */
export interface Store {
  readonly bucket: string
  /** What all keys begin with that are made here: others may keep files in the same bucket. */
  readonly installationId: string
  /** Nothing is under the key before all of it is there for good; when reading `bytes` fails, nothing ever is. */
  write(key: string, bytes: Readable): Promise<Written>
  /** Undefined when there is nothing under the key. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  stat(key: string): Promise<Stored | undefined>
  /** Also succeeds for what is not there. */
  remove(keys: string[]): Promise<void>
  list(prefix: string): AsyncIterable<Stored>
  /** Removes uploads of this installation that were begun before the given time and never finished. */
  removeUnfinished(before: Date): Promise<void>
}

export interface Written {
  size: number
  /** In hexadecimal. */
  sha256: string
}

/** Both ends are included. */
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

/** No key can lead out of the store, or to something that the store hides. */
export function checkedKey(key: string): string {
  if (key.length > 512 || !KEY.test(key)) throw new Error(`"${key}" is no key of the store.`)
  return key
}

/** No transaction may wait for a disk or a bucket. */
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

/** What went wrong in the store, as an answer. Its codes are also those of a lost database, so they must not get out. */
export function storeFailure(err: unknown): AppError {
  if (err instanceof AppError) return err
  const full = ['ENOSPC', 'EDQUOT'].includes(errorCode(err) ?? '')
  const failure = full
    ? storageFull('The file storage')
    : unavailable('storage_unavailable', 'The file storage cannot be reached right now. Try again shortly.')
  failure.cause = err
  return failure
}
