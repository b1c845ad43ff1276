import { fstatSync, readSync } from 'node:fs'
import type { Format } from './format.ts'

export interface TextInput {
  fd: number
  format: Format
}

/** Reads the words of a file, some at a time. */
export async function* readText({ fd, format }: TextInput): AsyncGenerator<string> {
  const bytes = Buffer.alloc(fstatSync(fd).size)
  readSync(fd, bytes, 0, bytes.length, 0)
  try {
    for await (const text of await textsOf(format, bytes)) yield plain(text)
  } catch (err) {
    // The errors of libraries do not all survive the way out of the thread.
    throw new Error(`The ${format} file cannot be read: ${(err as Error).message}`)
  }
}

/** Loads only what the format needs: pdf.js is large. */
async function textsOf(format: Format, bytes: Buffer): Promise<AsyncIterable<string>> {
  if (format === 'pdf') return (await import('./pdf-text.ts')).textOfPdf(bytes)
  if (format === 'office') return (await import('./office-text.ts')).textOfOffice(bytes)
  return textOfText(bytes)
}

async function* textOfText(bytes: Buffer): AsyncGenerator<string> {
  // A byte of zero says that it is something else.
  if (!bytes.includes(0)) yield bytes.toString('utf8')
}

/** Whatever separates words becomes a space. PostgreSQL stores no zero. */
const plain = (text: string) => text.replaceAll('\0', '').replaceAll(/\s+/g, ' ').toWellFormed().trim()
