import { Readable } from 'node:stream'
import type { Ctx } from '../kernel/context.ts'
import { newKey } from '../kernel/storage/index.ts'
import { createArtifact, STORE_PLACE, storeMarkdown } from '../product/artifacts/index.ts'
import { contentFile, contentText, type Entry, entriesOf, listOf } from './content.ts'
import type { World } from './world.ts'

const TYPES: Record<string, string> = {
  csv: 'text/csv',
  har: 'application/json',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The knowledge base: documents in markdown files of many entries, and the files of `content/files`. */
export function planArtifacts(world: World): void {
  for (const file of ['knowledge.md', 'interviews.md']) for (const entry of entriesOf(file)) planDocument(world, entry)
  for (const line of contentText('files.txt').trim().split('\n')) planFile(world, line)
}

function planDocument({ story, cast, ids }: World, { name, fields, text }: Entry): void {
  story.plan(fields.at!, async () => {
    const ctx = await cast.as(fields.by!)
    const markdownContent = `${text}\n`
    const content = await storeMarkdown(ctx, markdownContent)
    const folderPath = fields.folder!
    const artifact = await createArtifact(ctx, { type: 'document', name, content, markdownContent, folderPath })
    ids.set(`artifact ${name}`, artifact.id)
  })
}

/** "Research/funnel-week-46.csv | Build agent | Nov 15 08:10" */
function planFile({ story, cast, ids }: World, line: string): void {
  const [path, by, at] = listOf(line, '|')
  const name = path!.slice(path!.lastIndexOf('/') + 1)
  const folderPath = path!.slice(0, path!.lastIndexOf('/'))
  story.plan(at!, async () => {
    const ctx = await cast.as(by!)
    const content = { ...(await storeFile(ctx, STORE_PLACE, name)), contentType: contentTypeOf(name) }
    const artifact = await createArtifact(ctx, { type: 'file', name, content, markdownContent: null, folderPath })
    ids.set(`artifact ${name}`, artifact.id)
  })
}

export const contentTypeOf = (name: string) => TYPES[name.slice(name.lastIndexOf('.') + 1)]!

/** Stores a file of `content/files`. */
export async function storeFile({ store, actor }: Pick<Ctx, 'store' | 'actor'>, place: string, name: string) {
  const key = newKey(store, place, actor.projectId)
  const { size, sha256 } = await store.write(key, Readable.from([contentFile(`files/${name}`)], { objectMode: false }))
  return { key, size, sha256 }
}
