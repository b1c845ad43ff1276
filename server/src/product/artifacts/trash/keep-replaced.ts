import { firstCharacters } from '../../../engines/text/characters.ts'
import type { TxCtx } from '../../../kernel/context.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { type Artifact, NAME_LENGTH, nameKey } from '../artifact.ts'
import { insertTrashed, rowsOfCopy } from './trash-queries.ts'

/** Puts the content of a file into the trash as a file of its own, right before it is replaced. */
export async function keepReplaced(ctx: TxCtx, artifact: Artifact): Promise<void> {
  const { projectId, userId, userName } = ctx.actor
  const id = uuidv7()
  const name = nameOfReplaced(artifact.name, new Date())
  const rows = JSON.stringify(await rowsOfCopy(ctx.db, projectId, artifact.id, { id, name, name_key: nameKey(name) }))
  const place = { id, type: artifact.type, name, folderPath: artifact.folderPath, sizeBytes: artifact.sizeBytes }
  const kept = { ids: [id], rows, storeKeys: [artifact.contentKey!], replacedId: artifact.id }
  await insertTrashed(ctx.db, projectId, { ...place, ...kept, userId, userName })
}

const MAX_ENDING = 20

/** It can be restored beside the file that has its name. */
function nameOfReplaced(name: string, at: Date): string {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 && name.length - dot <= MAX_ENDING ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const when = ` (replaced ${at.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')})`
  return `${firstCharacters(stem, NAME_LENGTH - when.length - ending.length)}${when}${ending}`
}
