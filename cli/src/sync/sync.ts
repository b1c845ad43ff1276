import type { KeyClient } from '@slipway/sdk'
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
}

interface Sides {
  client: KeyClient
  folder: Folder
  state: State
}

export async function differences({ client, folder, state }: Sides): Promise<Difference[]> {
  const listed = new Map((await remote.listDocuments(client)).map((one) => [one.id, one]))
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
  const listed = await remote.listDocuments(client)
  const local = await localChanges(folder, state)
  const paths = pathsOf(listed, knownPaths(state))
  const outcome: Outcome = { done: [], conflicts: [] }
  const stale = listed.filter(({ id, updatedAt }) => state.documents[id]?.updatedAt !== updatedAt || isRemoved(id))
  function isRemoved(id: string): boolean {
    return local.get(state.documents[id]!.path) === 'removed'
  }
  await remote.eachAtOnce(stale, async ({ id, kind }: Listed) => {
    const path = paths.get(id)!
    const change = local.get(path)
    if (change === 'changed' || change === 'new') {
      outcome.conflicts.push(path)
      return
    }
    state.documents[id] = await keep(folder, kind, path, await remote.readDocument(client, kind, id))
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

async function keep(
  folder: Folder,
  kind: DocumentKind,
  path: string,
  document: remote.RemoteDocument,
): Promise<Pulled> {
  const { id, title, version, updatedAt, text } = document
  const file = withHead({ id, title, version }, text)
  await Promise.all([folder.write(path, file), folder.writeBase(id, text)])
  return { kind, path, version, updatedAt, hash: hashOf(file) }
}

export interface PushOptions {
  /** Propose the changes instead of writing them. */
  suggest: boolean
}

/** Sends what was changed here. Refuses documents that somebody changed on the server since they were pulled. */
export async function push({ client, folder, state }: Sides, { suggest }: PushOptions): Promise<Outcome> {
  const outcome: Outcome = { done: [], conflicts: [] }
  const local = await localChanges(folder, state)
  const byPath = new Map(Object.entries(state.documents).map(([id, one]) => [one.path, { id, ...one }]))
  for (const [path, change] of [...local].sort()) {
    if (change === 'removed') continue
    const { head, text } = splitHead((await folder.read(path))!)
    const known = byPath.get(path)
    if (!known) {
      const created = await createFrom(client, path, head?.title, text, byPath)
      state.documents[created.id] = await keep(folder, created.kind, path, created)
      byPath.set(path, { id: created.id, ...state.documents[created.id]! })
      outcome.done.push(path)
      continue
    }
    const { id, kind } = known
    const current = await remote.readDocument(client, kind, id)
    if (current.version !== known.version) {
      outcome.conflicts.push(path)
      continue
    }
    let now = current
    if (text !== current.text && suggest) await remote.suggestText(client, kind, id, current.text, text)
    else if (text !== current.text) now = await remote.writeDocument(client, kind, id, text, current.etag)
    if (head?.title && head.title !== current.title && !suggest)
      now = await remote.renameDocument(client, kind, id, head.title)
    // A suggestion stands in the text from now on.
    state.documents[id] = await keep(folder, kind, path, suggest ? await remote.readDocument(client, kind, id) : now)
    outcome.done.push(path)
    await folder.writeState(state)
  }
  await folder.writeState(state)
  return outcome
}

async function createFrom(
  client: KeyClient,
  path: string,
  title: string | undefined,
  text: string,
  byPath: Map<string, { id: string }>,
) {
  const [kind, tree, ...names] = path.replace(/\.md$/, '').split('/') as [DocumentKind, string, ...string[]]
  const parentId = byPath.get(`${[kind, tree, ...names.slice(0, -1)].join('/')}.md`)?.id
  const own = title || text.match(/^#\s+(.+)$/m)?.[1] || names.at(-1) || tree
  return { kind, ...(await remote.createDocument(client, { kind, title: own, text, tree, parentId })) }
}
