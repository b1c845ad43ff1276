import path from 'node:path'
import { createFolderStore } from './folder-store.ts'
import { createS3Store, type S3Options } from './s3-store.ts'
import type { Store } from './store.ts'

/** The folder for files if no bucket is configured. */
export const filesFolder = (dataDir: string) => path.join(dataDir, 'files')

/** Opens the configured store: a bucket, or a folder in the data folder. */
export function openStore({ dataDir, s3, minFreeDiskBytes }: StorageOptions, installationId: string): Store {
  if (s3) return createS3Store({ ...s3, installationId })
  return createFolderStore({
    folder: filesFolder(dataDir),
    bucket: 'slipway',
    installationId,
    minFreeBytes: minFreeDiskBytes,
  })
}

interface StorageOptions {
  dataDir: string
  s3: S3Options | undefined
  minFreeDiskBytes: number
}

export { createFolderStore } from './folder-store.ts'
export { loadInstallationId, newKey } from './keys.ts'
export { openNamelessFile, readOpenFile, withLocalCopy } from './nameless-file.ts'
export { createS3Store, type S3Options } from './s3-store.ts'
export type { ByteRange, Store, Stored, Written } from './store.ts'
export { removeBytesOf, removeUnclaimed, UNCLAIMED_AFTER_MS } from './sweep.ts'
