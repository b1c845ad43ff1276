import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { unavailable } from '../../../kernel/errors.ts'
import { readOpenFile, type Store } from '../../../kernel/storage/index.ts'
import { fileOf, type Place } from './document-files.ts'
import type { Spool } from './spool.ts'

export const FORMAT = 'slipway-project'
export const FORMAT_VERSION = 1

interface Contents extends Spool {
  projectName: string
  exportedAt: string
}

type Packed = Partial<{ compress: boolean; size: number }>

/** Packs the archive while it is read, one file at a time. */
export function packArchive(store: Store, contents: Contents, noteFile: () => void): Readable {
  const { files, stored, documents, projectName, exportedAt } = contents
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const mtime = new Date(exportedAt)
  const add = (path: string, options: Packed, openStream: () => Promise<Readable>) =>
    zip.addReadStreamLazy(path, { mtime, mode: 0o100644, ...options }, (give) => {
      noteFile()
      openStream().then(
        (stream) =>
          give(
            null,
            stream.on('error', (err) => output.destroy(err)),
          ),
        (err) => output.destroy(err),
      )
    })

  const manifest = {
    format: FORMAT,
    version: FORMAT_VERSION,
    exported_at: exportedAt,
    project: { name: projectName },
    tables: files.map(({ path, rows, bytes, sha256 }) => ({ path, rows, bytes, sha256 })),
    files: stored.length,
    documents: documents.length,
  }
  add('manifest.json', {}, async () => Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]))
  for (const { path, handle, bytes } of files) add(path, { size: bytes }, async () => readOpenFile(handle.fd))
  const rows = files.find(({ path }) => path === 'data/documents.jsonl')
  for (const { path, at } of documents)
    add(path, {}, async () => Readable.from([Buffer.from(fileOf(await readLine(rows!.handle, at)))]))
  // Most files are pictures or archives, which are small already.
  for (const { key, sha256, size } of stored)
    add(`files/${sha256}`, { compress: false, size }, async () => {
      const bytes = await store.read(key)
      if (!bytes) throw unavailable('file_deleted', 'A file was deleted while the project was exported. Try again.')
      return bytes
    })
  zip.on('error', (err) => output.destroy(err))
  zip.end()
  return output
}

async function readLine(handle: FileHandle, { start, bytes }: Place): Promise<string> {
  const line = Buffer.alloc(bytes)
  await handle.read(line, 0, bytes, start)
  return line.toString('utf8')
}
