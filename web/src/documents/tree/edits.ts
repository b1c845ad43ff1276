import { clientOf } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'
import { createStore } from '../../lib/store.ts'
import { showToast } from '../../lib/toasts.ts'
import { undoUnlessChanged } from '../../lib/undo-unless-changed.ts'
import { countQuery, documentQuery, type Tree, type TreeGroup, type TreeNode, treeQuery } from '../api.ts'
import { documentsOf, groupTitle, type Kind } from '../kind.ts'
import { ancestorsOf, moveNode, type Place, placeOf } from './tree.ts'

/** Documents that are hidden and will be deleted when Undo is no longer offered. */
export const leaving = createStore<ReadonlyMap<string, { projectId: string; kind: Kind; id: string }>>(new Map())

function show(projectId: string, kind: Kind, change: (tree: Tree) => Tree): void {
  queryClient.setQueryData(treeQuery(projectId, kind).queryKey, (tree) => tree && change(tree))
}

const readTree = (projectId: string, kind: Kind): Promise<Tree> =>
  queryClient.fetchQuery({ ...treeQuery(projectId, kind), staleTime: 0 })

const reload = (projectId: string, kind: Kind) => {
  void queryClient.invalidateQueries({ queryKey: treeQuery(projectId, kind).queryKey })
  void queryClient.invalidateQueries({ queryKey: countQuery(projectId, kind).queryKey })
}

/** Shows the change at once. If the server refuses it, shows the tree as it is, and why. */
async function attempt(projectId: string, kind: Kind, what: string, send: () => Promise<unknown>): Promise<boolean> {
  await queryClient.cancelQueries({ queryKey: treeQuery(projectId, kind).queryKey })
  try {
    await send()
    return true
  } catch (err) {
    const retry = () => void attempt(projectId, kind, what, send)
    showToast({ text: what, detail: (err as Error).message, tone: 'error', action: { label: 'Retry', run: retry } })
    return false
  } finally {
    reload(projectId, kind)
  }
}

export async function createDocument(
  projectId: string,
  kind: Kind,
  { title, group, parentId }: { title: string; group: TreeGroup; parentId: string | null },
): Promise<string | undefined> {
  const client = clientOf(projectId)
  try {
    const { data } =
      kind === 'requirements'
        ? await client.requirements.create({
            title,
            document_type: group.name as 'FEATURE',
            parent_id: parentId,
          })
        : await client.blueprints.create({ title, parent_id: parentId, category_id: group.id })
    await queryClient.invalidateQueries({ queryKey: treeQuery(projectId, kind).queryKey })
    reload(projectId, kind)
    return data.id
  } catch (err) {
    showToast({ text: `“${title}” was not created`, detail: (err as Error).message, tone: 'error' })
    return undefined
  }
}

export async function renameDocument(projectId: string, kind: Kind, node: TreeNode, title: string): Promise<void> {
  const set = (name: string) =>
    show(projectId, kind, (tree) => ({
      ...tree,
      nodes: tree.nodes.map((one) => (one.id === node.id ? { ...one, title: name } : one)),
    }))
  set(title)
  const done = await attempt(projectId, kind, `“${node.title}” was not renamed`, () =>
    documentsOf(projectId, kind).rename(node.id, { title }),
  )
  if (!done) return
  void queryClient.invalidateQueries({ queryKey: documentQuery(projectId, kind, node.id).queryKey })
  const undo = () =>
    void undoUnlessChanged({
      projectId,
      what: `the title of “${node.title}”`,
      isAsLeft: async () => (await readTree(projectId, kind)).nodes.find(({ id }) => id === node.id)?.title === title,
      isSuch: ({ subject_id, kind }) => subject_id === node.id && /renamed|deleted/.test(kind),
      run: () => void renameDocument(projectId, kind, { ...node, title }, node.title),
    })
  if (title !== node.title) showToast({ text: `Renamed to “${title}”`, undo })
}

/** Says why a document cannot go to a place. Undefined if it can. */
export function refusalOf(kind: Kind, tree: Tree, node: TreeNode, to: Place): string | undefined {
  const from = tree.groups.find(({ id }) => id === node.group_id)!
  const group = tree.groups.find(({ id }) => id === to.groupId)!
  if (from.locked) return `“${node.title}” follows its feature. Move the requirement instead.`
  if (group.locked) return `${groupTitle(group.name)} follow the features: create a requirement there instead.`
  if (kind === 'requirements' && from.id !== group.id)
    return `“${node.title}” stays in ${groupTitle(from.name)}: overviews and features are separate trees.`
  if (to.parentId === node.id || ancestorsOf(tree.nodes, to.parentId ?? '').some(({ id }) => id === node.id))
    return `“${node.title}” cannot stand below itself.`
  return undefined
}

export async function moveDocument(
  projectId: string,
  kind: Kind,
  node: TreeNode,
  to: Place,
  isUndo = false,
): Promise<boolean> {
  const tree = queryClient.getQueryData(treeQuery(projectId, kind).queryKey)
  if (!tree) return false
  const refusal = refusalOf(kind, tree, node, to)
  if (refusal) {
    showToast({ text: refusal })
    return false
  }
  const from = placeOf(tree, node.id)
  if (from.parentId === to.parentId && from.groupId === to.groupId && from.position === to.position) return false
  show(projectId, kind, (shown) => moveNode(shown, node.id, to))
  const done = await attempt(projectId, kind, `“${node.title}” was not moved`, () =>
    sendMove(projectId, kind, node, to),
  )
  if (!done) return false
  const undo = () =>
    void undoUnlessChanged({
      projectId,
      what: `the place of “${node.title}”`,
      async isAsLeft() {
        const fresh = await readTree(projectId, kind)
        if (!fresh.nodes.some(({ id }) => id === node.id)) return false
        const now = placeOf(fresh, node.id)
        const isSameList = from.parentId === to.parentId && from.groupId === to.groupId
        const isThere = now.parentId === to.parentId && now.groupId === to.groupId
        // New neighbours push it along, which matters only if it was moved among them.
        return isThere && (!isSameList || now.position === to.position)
      },
      isSuch: ({ subject_id, kind }) => subject_id === node.id && /moved|deleted/.test(kind),
      run: () => void moveDocument(projectId, kind, { ...node, group_id: to.groupId }, from, true),
    })
  showToast(isUndo ? { text: `“${node.title}” is back in its place` } : { text: `“${node.title}” moved`, undo })
  return true
}

function sendMove(projectId: string, kind: Kind, node: TreeNode, { groupId, parentId, position }: Place) {
  const client = clientOf(projectId)
  if (kind === 'requirements') return client.requirements.move(node.id, { parent_id: parentId, position })
  return client.blueprints.move(node.id, { parent_id: parentId, category_id: groupId, position })
}

/**
 * Hides a document and deletes it when Undo is no longer offered: what is deleted cannot be brought back with its
 * versions and comments. Leaving the page deletes at once.
 */
export function deleteDocument(projectId: string, kind: Kind, node: TreeNode): void {
  const forget = () =>
    leaving.set((before) => {
      const after = new Map(before)
      after.delete(node.id)
      return after
    })
  const send = async () => {
    if (!leaving.get().has(node.id)) return
    const done = await attempt(projectId, kind, `“${node.title}” was not deleted`, () =>
      documentsOf(projectId, kind).delete(node.id),
    )
    if (done) await queryClient.refetchQueries({ queryKey: treeQuery(projectId, kind).queryKey })
    forget()
  }
  leaving.set((before) => new Map(before).set(node.id, { projectId, kind, id: node.id }))
  showToast({ text: `“${node.title}” deleted`, undo: forget, final: () => void send() })
}

// A page that goes away can send a request only if the browser carries it on.
addEventListener('pagehide', () => {
  for (const { projectId, kind, id } of leaving.get().values())
    void fetch(`/v2/app-api/${kind}/${id}`, {
      method: 'DELETE',
      keepalive: true,
      headers: { 'x-project-id': projectId },
    })
})

export const whatDeleteDoes = (kind: Kind, tree: Tree, node: TreeNode): string => {
  const group = tree.groups.find(({ id }) => id === node.group_id)!
  const children = tree.nodes.filter(({ parent_id }) => parent_id === node.id).length
  const parts = [`Its text, versions, suggestions and comments are deleted for everyone.`]
  if (kind === 'requirements' && group.name === 'FEATURE') parts.push('Its feature blueprint is deleted with it.')
  if (children === 1) parts.push('The document below it moves up to its place.')
  if (children > 1) parts.push(`The ${children} documents below it move up to its place.`)
  return parts.join(' ')
}
