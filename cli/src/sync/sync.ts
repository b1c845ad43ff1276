import { type KeyClient, SlipwayError } from '@slipway/sdk'
import { Failure } from '../failure.ts'
import { type Folder, hashOf, type Pulled, type State } from './folder.ts'
import { splitHead, withHead } from './front-matter.ts'
import { type DocumentKind, type Listed, pathsOf } from './layout.ts'
import * as remote from './remote.ts'

/** What differs between the folder and the server. */
export interface Difference {
  path: string
  id?: string
  local?: 'new' | 'changed' | 'removed'
  server?: 'new' | 'changed' | 'removed'
}

export const isConflict = ({ local, server }: Difference) => local !== undefined && server !== undefined

export interface Outcome {
  done: string[]
  conflicts: string[]
  /** Files that cannot be sent as they are. */
  refused: { path: string; reason: string }[]
}

interface Sides {
  client: KeyClient
  folder: Folder
  state: State
}

export async function differences({ client, folder, state }: Sides): Promise<Difference[]> {
  const listed = new Map((await listProject(client, folder, state)).map((one) => [one.id, one]))
  const local = await localChanges(folder, state)
  const found: Difference[] = []
  for (const [id, { path, updatedAt }] of Object.entries(state.documents)) {
    const here = local.get(path)
    const there = listed.get(id)
    const server = !there ? 'removed' : there.updatedAt === updatedAt ? undefined : 'changed'
    if (here || server) found.push({ path, id, ...(here && { local: here }), ...(server && { server }) })
    local.delete(path)
  }
  for (const [path, kind] of local) found.push({ path, local: kind })
  const paths = pathsOf([...listed.values()], knownPaths(state))
  for (const id of listed.keys()) if (!state.documents[id]) found.push({ path: paths.get(id)!, id, server: 'new' })
  return found.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Another project of the same server has none of the documents. */
async function listProject(client: KeyClient, folder: Folder, { documents }: State): Promise<Listed[]> {
  const listed = await remote.listDocuments(client)
  const isOther = Object.keys(documents).length > 0 && !listed.some(({ id }) => documents[id])
  if (isOther)
    throw new Failure(
      `"${folder.root}" holds the documents of another project. Choose another folder or profile.`,
      'conflict',
    )
  return listed
}

/** A file that was renamed or moved here is still the document that its head names. */
export async function followMoves(folder: Folder, { documents }: State): Promise<void> {
  const files = new Set(await folder.list())
  for (const [id, path] of await namedByNewFiles(folder, { documents }, files)) {
    const pulled = documents[id]
    if (pulled && !files.has(pulled.path)) pulled.path = path
  }
}

/** The documents that the heads of files name which were not pulled. */
async function namedByNewFiles(
  folder: Folder,
  { documents }: Pick<State, 'documents'>,
  files: Iterable<string>,
): Promise<Map<string, string>> {
  const known = new Set(Object.values(documents).map(({ path }) => path))
  const named = new Map<string, string>()
  for (const path of files) {
    if (known.has(path)) continue
    const id = splitHead((await folder.read(path)) ?? '').head?.id
    if (id && !named.has(id)) named.set(id, path)
  }
  return named
}

const knownPaths = ({ documents }: State) => new Map(Object.entries(documents).map(([id, { path }]) => [id, path]))

async function localChanges(folder: Folder, { documents }: State): Promise<Map<string, 'new' | 'changed' | 'removed'>> {
  const changes = new Map<string, 'new' | 'changed' | 'removed'>()
  const known = new Map(Object.values(documents).map((one) => [one.path, one]))
  const files = await folder.list()
  for (const file of files) {
    const pulled = known.get(file)
    if (!pulled) changes.set(file, 'new')
    else if (hashOf((await folder.read(file)) ?? '') !== pulled.hash) changes.set(file, 'changed')
  }
  const there = new Set(files)
  for (const path of known.keys()) if (!there.has(path)) changes.set(path, 'removed')
  return changes
}

/** Writes what changed on the server. Leaves files alone that were changed here. */
export async function pull({ client, folder, state }: Sides): Promise<Outcome> {
  const listed = await listProject(client, folder, state)
  const local = await localChanges(folder, state)
  const named = await namedByNewFiles(folder, state, local.keys())
  const paths = pathsOf(listed, new Map([...named, ...knownPaths(state)]))
  const outcome: Outcome = { done: [], conflicts: [], refused: [] }
  const stale = listed.filter(({ id, updatedAt }) => state.documents[id]?.updatedAt !== updatedAt || isRemoved(id))
  function isRemoved(id: string): boolean {
    return local.get(state.documents[id]!.path) === 'removed'
  }
  await remote.eachAtOnce(stale, async ({ id, kind }: Listed) => {
    const path = paths.get(id)!
    const change = local.get(path)
    if (change === 'changed' || (change === 'new' && named.get(id) !== path)) {
      outcome.conflicts.push(path)
      return
    }
    const document = await remote.readDocument(client, kind, id)
    if (change === 'new' && !(await isOfVersion(folder, path, document.version))) {
      outcome.conflicts.push(path)
      return
    }
    state.documents[id] = await keep(folder, kind, path, document, { onlyState: change === 'new' })
    outcome.done.push(path)
  })
  const there = new Set(listed.map(({ id }) => id))
  for (const [id, { path }] of Object.entries(state.documents)) {
    if (there.has(id)) continue
    if (local.get(path) === 'changed') outcome.conflicts.push(path)
    else {
      await folder.remove(path)
      await folder.removeBase(id)
      delete state.documents[id]
      outcome.done.push(path)
    }
  }
  await folder.writeState(state)
  return outcome
}

/** True for a file that was pulled elsewhere, such as one from a repository. What differs was changed here. */
const isOfVersion = async (folder: Folder, path: string, version: number) =>
  splitHead((await folder.read(path)) ?? '').head?.version === version

async function keep(
  folder: Folder,
  kind: DocumentKind,
  path: string,
  document: remote.RemoteDocument,
  { onlyState = false } = {},
): Promise<Pulled> {
  const { id, title, version, updatedAt, text } = document
  const file = withHead({ id, title, version }, text)
  await Promise.all([onlyState || folder.write(path, file), folder.writeBase(id, text)])
  return { kind, path, version, updatedAt, hash: hashOf(file) }
}

export interface PushOptions {
  /** Propose the changes instead of writing them. */
  suggest: boolean
}

type Known = Map<string, Pulled & { id: string }>

/** Sends what was changed here. Refuses documents that somebody changed on the server since they were pulled. */
export async function push({ client, folder, state }: Sides, options: PushOptions): Promise<Outcome> {
  const outcome: Outcome = { done: [], conflicts: [], refused: [] }
  const local = await localChanges(folder, state)
  if (local.size > 0) await listProject(client, folder, state)
  const byPath: Known = new Map(Object.entries(state.documents).map(([id, one]) => [one.path, { id, ...one }]))
  const take = async (path: string, { id, kind, document }: Sent) => {
    const pulled = await keep(folder, kind, path, document)
    state.documents[id] = pulled
    byPath.set(path, { id, ...pulled })
    outcome.done.push(path)
  }
  for (const [path, change] of [...local].sort()) {
    if (change === 'removed') continue
    try {
      const file = await folder.read(path)
      if (!byPath.has(path)) {
        refuseHead(file, state)
        for (const missing of foldersWithoutDocument(path, byPath)) {
          if (local.has(missing)) throw new Refusal(`"${missing}", the document of its folder, was not sent.`)
          await take(missing, await createFrom(client, missing, undefined, '', byPath))
        }
      }
      await take(path, await send(client, path, file, byPath, options))
    } catch (err) {
      if (isChangedThere(err)) outcome.conflicts.push(path)
      else outcome.refused.push({ path, reason: reasonOf(err) })
    }
    await folder.writeState(state)
  }
  await folder.writeState(state)
  return outcome
}

interface Sent {
  id: string
  kind: DocumentKind
  document: remote.RemoteDocument
}

const BROKEN_HEAD = 'Its head has no end: a line of three dashes.'

class Refusal extends Error {}
class ChangedThere extends Error {}

const isChangedThere = (err: unknown) =>
  err instanceof ChangedThere || (err instanceof SlipwayError && err.status === 412)

/** What is wrong with one file does not keep the others from being sent. */
function reasonOf(err: unknown): string {
  if (err instanceof Refusal) return err.message
  if (err instanceof SlipwayError && [400, 404, 409, 413, 422].includes(err.status)) return err.detail
  throw err
}

async function send(
  client: KeyClient,
  path: string,
  file: string | undefined,
  byPath: Known,
  { suggest }: PushOptions,
): Promise<Sent> {
  const { head, text, isBroken } = splitHead(file ?? '')
  if (isBroken) throw new Refusal(BROKEN_HEAD)
  const known = byPath.get(path)
  if (!known) return createFrom(client, path, head?.title, text, byPath)
  const { id, kind, version } = known
  const current = await remote.readDocument(client, kind, id)
  if (current.version !== version) throw new ChangedThere()
  const isRenamed = Boolean(head?.title) && head!.title !== current.title
  if (suggest) {
    if (isRenamed) throw new Refusal('A title cannot be proposed. Take it back, or push without --suggest.')
    if (text !== current.text) await remote.suggestText(client, kind, id, current.text, text)
    // A suggestion stands in the text from now on.
    return { id, kind, document: await remote.readDocument(client, kind, id) }
  }
  let document = current
  if (text !== current.text) document = await remote.writeDocument(client, kind, id, text, current.etag)
  if (isRenamed) document = await remote.renameDocument(client, kind, id, head!.title)
  return { id, kind, document }
}

/** Refuses a file that is new here and whose head names a document, before anything is created for it. */
function refuseHead(file: string | undefined, { documents }: State): void {
  const { head, isBroken } = splitHead(file ?? '')
  if (isBroken) throw new Refusal(BROKEN_HEAD)
  if (!head?.id) return
  const copied = documents[head.id]
  throw new Refusal(
    copied
      ? `It is a copy of ${copied.path}. Remove its head to make a document of it.`
      : 'Its head names a document that was not pulled. Pull, or remove the head to make a document.',
  )
}

/** The files that the documents of the folders above a file would have, the outermost first. */
function foldersWithoutDocument(path: string, byPath: Known): string[] {
  const names = path.split('/').slice(0, -1)
  const folders = names.map((_, at) => `${names.slice(0, at + 1).join('/')}.md`)
  // The first two are the kind and the tree.
  return folders.slice(2).filter((folder) => !byPath.has(folder))
}

async function createFrom(
  client: KeyClient,
  path: string,
  title: string | undefined,
  text: string,
  byPath: Map<string, { id: string }>,
): Promise<Sent> {
  const [kind, tree, ...names] = path.replace(/\.md$/, '').split('/') as [DocumentKind, string, ...string[]]
  const parentId = byPath.get(`${[kind, tree, ...names.slice(0, -1)].join('/')}.md`)?.id
  const own = title || text.match(/^#\s+(.+)$/m)?.[1] || names.at(-1) || tree
  const document = await remote.createDocument(client, { kind, title: own, text, tree, parentId })
  return { id: document.id, kind, document }
}
