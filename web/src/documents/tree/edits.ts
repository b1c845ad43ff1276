import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { compareTitles } from '../../lib/outbox/compare-titles.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { queryClient } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toasts.ts'
import { undoUnlessChanged } from '../../lib/undo-unless-changed.ts'
import { documentQuery, type TreeNode, treeQuery } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'
import { refusalOf } from './moves.ts'
import { readTree, reloadTree, showTree } from './shown-tree.ts'
import { moveNode, type Place, placeOf } from './tree.ts'

interface Renaming {
  kind: Kind
  id: string
  title: string
  before: string
}

const saveTitle = defineWrite<Renaming, unknown>({
  name: 'documents.rename',
  waits: true,
  words: ({ title }) => [title],
  about: ({ id, title, before }) => ({ text: `“${before}” to “${title}”`, subjects: [id], part: 'title' }),
  send: ({ kind, id, title, before }, { projectId }) =>
    documentsOf(projectId, kind).rename(id, { title, expected_title: before }),
  show: ({ kind, id, title }, projectId) => showTitle(projectId, kind, id, title),
  hide({ kind, id, before }, projectId) {
    showTitle(projectId, kind, id, before)
    reloadTitle(projectId, kind, id)
  },
  saved(_, { kind, id, title, before }, { projectId }) {
    reloadTitle(projectId, kind, id)
    const undo = () =>
      void undoUnlessChanged({
        projectId,
        what: `the title of “${before}”`,
        isAsLeft: async () => (await readTree(projectId, kind)).nodes.find((one) => one.id === id)?.title === title,
        isSuch: ({ subject_id, kind }) => subject_id === id && /renamed|deleted/.test(kind),
        run: () => void saveTitle(projectId, { kind, id, title: before, before: title }),
      })
    showToast({ text: `Renamed to “${title}”`, undo })
  },
  failure: ({ before }) => `“${before}” was not renamed`,
  comparison: compareTitles({
    of: (renaming) => renaming,
    rebased: (renaming, title, before) => ({ ...renaming, title, before }),
    read: async ({ kind, id }, projectId) => (await documentsOf(projectId, kind).get(id)).data.title,
    isRenaming: ({ kind }) => kind.endsWith('.renamed'),
    show({ kind, id }, title, projectId) {
      showTitle(projectId, kind, id, title)
      reloadTitle(projectId, kind, id)
    },
  }),
})

function showTitle(projectId: string, kind: Kind, id: string, title: string): void {
  showTree(projectId, kind, (tree) => ({
    ...tree,
    nodes: tree.nodes.map((one) => (one.id === id ? { ...one, title } : one)),
  }))
  queryClient.setQueryData(documentQuery(projectId, kind, id).queryKey, (one) => one && { ...one, title })
}

function reloadTitle(projectId: string, kind: Kind, id: string): void {
  reloadTree(projectId, kind)
  void queryClient.invalidateQueries({ queryKey: documentQuery(projectId, kind, id).queryKey })
}

export function renameDocument(projectId: string, kind: Kind, { id, title: before }: TreeNode, title: string): void {
  if (title !== before) void saveTitle(projectId, { kind, id, title, before })
}

interface Move {
  kind: Kind
  node: TreeNode
  from: Place
  to: Place
  isUndo?: boolean
}

const saveMove = defineWrite<Move, unknown>({
  name: 'documents.move',
  waits: true,
  about: ({ node, to }) => ({
    text: `Move “${node.title}”`,
    subjects: [node.id, ...(to.parentId ? [to.parentId] : [])],
    part: 'place',
  }),
  send({ kind, node, to: { groupId, parentId, position } }, { projectId }) {
    const call = callOf(projectId)
    if (kind === 'requirements') return api.requirements(call).move(node.id, { parent_id: parentId, position })
    return api.blueprints(call).move(node.id, { parent_id: parentId, category_id: groupId, position })
  },
  show: ({ kind, node, to }, projectId) => showTree(projectId, kind, (tree) => moveNode(tree, node.id, to)),
  hide({ kind, node, from }, projectId) {
    showTree(projectId, kind, (tree) => moveNode(tree, node.id, from))
    reloadTree(projectId, kind)
  },
  saved(_, move, { projectId }) {
    const { kind, node, isUndo } = move
    reloadTree(projectId, kind)
    const undo = () => void undoMove(projectId, move)
    showToast(isUndo ? { text: `“${node.title}” is back in its place` } : { text: `“${node.title}” moved`, undo })
  },
  failure: ({ node }) => `“${node.title}” was not moved`,
})

const undoMove = (projectId: string, { kind, node, from, to }: Move) =>
  undoUnlessChanged({
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
    run: () => void saveMove(projectId, { kind, node, from: to, to: from, isUndo: true }),
  })

/** Returns false if it cannot go there. */
export function moveDocument(projectId: string, kind: Kind, node: TreeNode, to: Place): boolean {
  const tree = queryClient.getQueryData(treeQuery(projectId, kind).queryKey)
  if (!tree) return false
  const refusal = refusalOf(kind, tree, node, to)
  if (refusal) {
    showToast({ text: refusal })
    return false
  }
  const from = placeOf(tree, node.id)
  if (from.parentId === to.parentId && from.groupId === to.groupId && from.position === to.position) return false
  void saveMove(projectId, { kind, node, from, to })
  return true
}
