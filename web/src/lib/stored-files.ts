import { clientOf, SlipwayError } from './client.ts'

const MAX_NAMES_TRIED = 50

const folders = new Map<string, Promise<string>>()

/** A folder at the root of the knowledge base, which is added when the first file needs it. */
function folderOf(projectId: string, name: string): Promise<string> {
  const key = `${projectId} ${name}`
  const found = folders.get(key) ?? findOrAddFolder(projectId, name)
  folders.set(key, found)
  found.catch(() => folders.delete(key))
  return found
}

async function findOrAddFolder(projectId: string, name: string): Promise<string> {
  const { artifacts } = clientOf(projectId)
  const find = async () => {
    const { items } = await artifacts.list({ type: 'folder', name, recursive: false, page_size: 100 })
    return items.find((one) => one.name.toLowerCase() === name.toLowerCase() && one.folder_path === '')?.id
  }
  const found = await find()
  if (found) return found
  try {
    return (await artifacts.create({ type: 'folder', name })).data.id
  } catch (err) {
    // Someone else has just added it.
    const added = err instanceof SlipwayError && err.status === 409 ? await find() : undefined
    if (!added) throw err
    return added
  }
}

/** Stores a file in a folder of the knowledge base. A name that is taken gets a number, as on a desktop. */
export async function storeFile(
  projectId: string,
  file: File,
  folder: string,
  name = nameOfFile(file),
): Promise<{ id: string; name: string }> {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let count = 1; ; count++) {
    const tried = count === 1 ? name : `${stem} ${count}${ending}`
    try {
      const parent_id = await folderOf(projectId, folder)
      const upload = { file, name: tried, parent_id, content_type: file.type || 'application/octet-stream' }
      return (await clientOf(projectId).artifacts.create(upload, { timeoutMs: 0 })).data
    } catch (err) {
      const { status } = err instanceof SlipwayError ? err : {}
      // The folder may have been deleted since it was found: the next attempt finds or adds it.
      if (status === 404) folders.delete(`${projectId} ${folder}`)
      if (status !== 409 || count === MAX_NAMES_TRIED) throw err
    }
  }
}

/** Browsers name every pasted picture the same. */
export const nameOfFile = (file: File) =>
  file.name && !/^image\.\w+$/.test(file.name)
    ? file.name.replaceAll('/', '-')
    : `Picture ${new Date().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')}.${file.type.split('/')[1] ?? 'png'}`

/** Where a text finds a file. A key can read there, and so can everyone who is signed in and in the project. */
export const addressOfFile = (id: string) => `/v2/external-api/artifacts/${id}/content`
