/** A file with the names of the folders that it was dropped in. */
export interface Dropped {
  file: File
  path: string[]
}

/** What systems put into every folder, and nobody wants to keep. */
const UNWANTED = /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i

/** The files that were dropped, also those in folders. */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped[]> {
  // The list is empty as soon as the event is over.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  const plain = [...transfer.files]
  const found = entries.length > 0 ? await walk(entries, []) : plain.map((file) => ({ file, path: [] }))
  return found.filter(({ file }) => !UNWANTED.test(file.name))
}

async function walk(entries: FileSystemEntry[], path: string[]): Promise<Dropped[]> {
  const found: Dropped[] = []
  for (const entry of entries) {
    if (entry.isFile) found.push({ file: await fileOf(entry as FileSystemFileEntry), path })
    else found.push(...(await walk(await entriesIn(entry as FileSystemDirectoryEntry), [...path, entry.name])))
  }
  return found
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject))

/** Browsers return the entries of a folder a hundred at a time. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}
