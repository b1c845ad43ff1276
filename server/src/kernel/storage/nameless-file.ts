import { randomUUID } from 'node:crypto'
import { read } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'

const CHUNK_BYTES = 256 * 1024
const readAt = promisify(read)

/**
 * Opens a temporary file that has no name any more. The system removes it when it is closed, and also when the process
 * is killed. Threads read it by its number, `handle.fd`.
 */
export async function openNamelessFile(): Promise<FileHandle> {
  const place = path.join(tmpdir(), `slipway-${randomUUID()}`)
  const handle = await open(place, 'wx+', 0o600)
  await unlink(place)
  return handle
}

/** Copies bytes to this disk for as long as `run` needs them. */
export async function withLocalCopy<T>(bytes: Readable, run: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await openNamelessFile()
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) await file.appendFile(chunk)
    return await run(file)
  } finally {
    bytes.destroy()
    await file.close()
  }
}

/** Reads an open file from its beginning. A stream of Node would close the file when it is destroyed. */
export function readOpenFile(fd: number): Readable {
  async function* chunks() {
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await readAt(fd, Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }
  return Readable.from(chunks(), { objectMode: false })
}
