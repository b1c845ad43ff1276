import * as api from '@slipway/sdk/resources'
import { callOf, SlipwayError } from '../../lib/client.ts'

const known = new Map<string, Promise<string>>()

/** The folder at a path below another. Those that are not there are created, each once. */
export async function reachFolder(projectId: string, from: string | null, path: string[]): Promise<string | null> {
  let parent = from
  for (const name of path) parent = await enter(projectId, parent, name)
  return parent
}

function enter(projectId: string, parent: string | null, name: string): Promise<string> {
  const key = `${projectId} ${parent} ${name.normalize('NFC').toLowerCase()}`
  const found = known.get(key) ?? create(projectId, parent, name)
  known.set(key, found)
  found.catch(() => known.delete(key))
  return found
}

async function create(projectId: string, parent_id: string | null, name: string): Promise<string> {
  try {
    return (await api.artifacts(callOf(projectId)).create({ type: 'folder', name, parent_id })).data.id
  } catch (err) {
    const { code, problem } = err instanceof SlipwayError ? err : {}
    if (code === 'name_taken' && problem?.artifact_type === 'folder') return String(problem.artifact_id)
    throw err
  }
}

/** One of them may have been deleted since. */
export const forgetFolders = () => known.clear()
