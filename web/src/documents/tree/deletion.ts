import { defineWrite } from '../../lib/outbox/index.ts'
import { sendDeletion } from '../../lib/outbox/send-deletion.ts'
import { createStore } from '../../lib/store.ts'
import { dismissToast, showToast } from '../../lib/toasts.ts'
import type { Tree, TreeNode } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'
import { reloadTree } from './shown-tree.ts'

/** Documents that are hidden because they are deleted, or will be when Undo is no longer offered. */
export const hiddenDocuments = createStore<ReadonlySet<string>>(new Set())

function setHidden(id: string, isHidden: boolean): void {
  const others = [...hiddenDocuments.get()].filter((one) => one !== id)
  hiddenDocuments.set(new Set(isHidden ? [...others, id] : others))
}

const removeDocument = defineWrite<{ kind: Kind; node: TreeNode }, void>({
  name: 'documents.delete',
  waits: true,
  about: ({ node }) => ({ text: `Delete “${node.title}”`, subjects: [node.id], part: 'deletion' }),
  send: ({ kind, node }, { projectId }) => sendDeletion(() => documentsOf(projectId, kind).delete(node.id)),
  show: ({ node }) => setHidden(node.id, true),
  hide({ kind, node }, projectId) {
    setHidden(node.id, false)
    void reloadTree(projectId, kind)
  },
  saved: (_, { kind, node }, { projectId }) => void reloadTree(projectId, kind).then(() => setHidden(node.id, false)),
  failure: ({ node }) => `“${node.title}” was not deleted`,
})

/** The messages that offer to take a deletion back. */
const offers = new Set<number>()

/**
 * Hides a document and deletes it when Undo is no longer offered: what is deleted cannot be brought back with its
 * versions and comments. Leaving the page deletes at once.
 */
export function deleteDocument(projectId: string, kind: Kind, node: TreeNode): void {
  setHidden(node.id, true)
  const offer = showToast({
    text: `“${node.title}” deleted`,
    undo() {
      offers.delete(offer)
      setHidden(node.id, false)
    },
    final() {
      offers.delete(offer)
      void removeDocument(projectId, { kind, node })
    },
  })
  offers.add(offer)
}

addEventListener('pagehide', () => {
  for (const offer of offers) dismissToast(offer)
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
