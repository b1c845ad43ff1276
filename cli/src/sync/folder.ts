import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Failure } from '../failure.ts'
import type { DocumentKind } from './layout.ts'

/** What was pulled, so that changes on either side can be told apart. */
export interface Pulled {
  kind: DocumentKind
  path: string
  version: number
  updatedAt: string
  hash: string
}

export interface State {
  url: string
  documents: Record<string, Pulled>
}

export type Folder = ReturnType<typeof openFolder>

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** A folder of documents as markdown. `.slipway/` inside it has its state and the texts as they were pulled. */
export function openFolder(root: string) {
  const own = path.join(root, '.slipway')
  const stateFile = path.join(own, 'state.json')
  const baseFile = (id: string) => path.join(own, 'base', `${id}.md`)

  async function writeInPlace(file: string, text: string): Promise<void> {
    await writeFile(file, text).catch(async (err: NodeJS.ErrnoException) => {
      if (err.code !== 'ENOENT') throw err
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, text)
    })
  }

  /** A reader, or a crash, never finds half a file. */
  async function write(file: string, text: string): Promise<void> {
    const draft = `${file}.${process.pid}.tmp`
    await writeInPlace(draft, text)
    await rename(draft, file)
  }

  return {
    root,

    async readState(url: string): Promise<State> {
      const text = await readIfThere(stateFile)
      if (text === undefined) return { url, documents: {} }
      const state = parsed(stateFile, text)
      if (state.url !== url)
        throw new Failure(
          `"${root}" holds the documents of ${state.url}, not of ${url}. Choose another folder or profile.`,
          'conflict',
        )
      return state
    },
    writeState: (state: State) => write(stateFile, `${JSON.stringify(state, null, 1)}\n`),

    read: (file: string) => readIfThere(path.join(root, file)),
    write: (file: string, text: string) => write(path.join(root, file), text),
    remove: (file: string) => rm(path.join(root, file), { force: true }),

    readBase: (id: string) => readIfThere(baseFile(id)),
    /** The state, which is written last, says whether it can be trusted. */
    writeBase: (id: string, text: string) => writeInPlace(baseFile(id), text),
    removeBase: (id: string) => rm(baseFile(id), { force: true }),

    /** For what reads the folder: without a file in it, a wrong name would look like nothing to do. */
    async checkThere({ documents }: State): Promise<void> {
      if (!(await stat(root).catch(() => undefined))?.isDirectory())
        throw new Failure(`There is no folder "${root}".`, 'not found')
      if (Object.keys(documents).length === 0 && (await this.list()).length === 0)
        throw new Failure(
          `There is no document in "${root}". Pull first, or put markdown files into requirements/ or blueprints/ in it.`,
          'not found',
        )
    },

    /** The markdown files below the folders of the two kinds. */
    async list(): Promise<string[]> {
      const files: string[] = []
      for (const kind of ['requirements', 'blueprints']) {
        const found = await readdir(path.join(root, kind), { recursive: true }).catch(() => [])
        files.push(
          ...found.filter((file) => file.endsWith('.md')).map((file) => `${kind}/${file.split(path.sep).join('/')}`),
        )
      }
      return files.sort()
    },
  }
}

function parsed(stateFile: string, text: string): State {
  try {
    return JSON.parse(text) as State
  } catch {
    throw new Failure(`"${stateFile}" is not valid JSON. Remove it, and pull again.`)
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return undefined
    throw err
  })
}
