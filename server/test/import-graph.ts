import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export interface Source {
  file: string
  room: string
  text: string
  /** Files of the same tree, by their path in it. `isLoaded`: together with this one, so neither later nor only its types. */
  imports: { file: string; room: string; isLoaded: boolean }[]
  /** Packages, by the name that the import has. */
  packages: string[]
}

const IMPORT = /((?:import|export)\s+type\s[^'";]*?)?(?:from|import)\s*(\(?)\s*'([^']+)'/g

/** Reads the sources below a folder, without tests and factories, and what each imports. */
export async function readSources(folder: string): Promise<Source[]> {
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && !/\.(test|factory|d)\.ts$/.test(file),
  )
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(folder, file), 'utf8')
      const targets = [...text.matchAll(IMPORT)].map(([, types, bracket, target]) => ({
        target: target!,
        isLoaded: types === undefined && bracket === '',
      }))
      return {
        file,
        room: roomOf(file),
        text,
        imports: targets
          .filter(({ target }) => target.startsWith('.'))
          .map(({ target, isLoaded }) => {
            const found = path.normalize(path.join(path.dirname(file), target))
            return { file: found, room: roomOf(found), isLoaded }
          }),
        packages: targets.map(({ target }) => target).filter((target) => !target.startsWith('.')),
      }
    }),
  )
}

/** Folders of the server that only hold rooms. */
const STOREYS = ['faces', 'product']

function roomOf(file: string): string {
  const [first, second] = file.split(path.sep)
  return (STOREYS.includes(first!) ? second! : first!).replace(/\.tsx?$/, '')
}

/** The folders directly in each room, with what the files of each import from the others. */
export function foldersOf(sources: Source[]): Pick<Source, 'file' | 'imports'>[] {
  const folderOf = (file: string) => {
    const parts = file.split(path.sep)
    const depth = STOREYS.includes(parts[0]!) ? 3 : 2
    return parts.length > depth ? parts.slice(0, depth).join('/') : undefined
  }
  const folders = new Map<string, Source['imports']>()
  for (const { file, room, imports } of sources) {
    const folder = folderOf(file)
    if (folder === undefined) continue
    const others = imports
      .filter((one) => one.room === room)
      .map((one) => ({ ...one, file: folderOf(one.file) ?? folder }))
      .filter((one) => one.file !== folder)
    folders.set(folder, [...(folders.get(folder) ?? []), ...others])
  }
  return [...folders].map(([file, imports]) => ({ file, imports }))
}

/** Every group of files that reach each other, by Tarjan's algorithm. */
export function cyclesOf(sources: Pick<Source, 'file' | 'imports'>[]): string[][] {
  const graph = new Map(sources.map(({ file, imports }) => [file, imports.map((one) => one.file)]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string) => {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!))
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1 || graph.get(file)?.includes(file)) cycles.push(group.sort())
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return cycles
}
