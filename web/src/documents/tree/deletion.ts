import { useMemo } from 'react'
import { deleteWithUndo, leaving } from '../../lib/delete-with-undo.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { sendDeletion } from '../../lib/outbox/send-deletion.ts'
import { createStore, useStore } from '../../lib/store.ts'
import type { Tree, TreeNode } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'
import { reloadTree } from './shown-tree.ts'

/** Documents whose deletion is on its way. */
const removing = createStore<ReadonlySet<string>>(new Set())

const setRemoving = (id: string, isRemoving: boolean) =>
  removing.set((before) => new Set(isRemoving ? [...before, id] : [...before].filter((one) => one !== id)))

const removeDocument = defineWrite<{ kind: Kind; node: TreeNode }, void>({
  name: 'documents.delete',
  // Sent later, it would delete what others have written in it since.
  waits: false,
  about: ({ node }) => ({ subjects: [node.id] }),
  send: ({ kind, node }, { projectId }) => sendDeletion(() => documentsOf(projectId, kind).delete(node.id)),
  show: ({ node }) => setRemoving(node.id, true),
  hide({ kind, node }, projectId) {
    setRemoving(node.id, false)
    void reloadTree(projectId, kind)
  },
  saved: (_, { kind, node }, { projectId }) => void reloadTree(projectId, kind).then(() => setRemoving(node.id, false)),
  failure: ({ node }) => `“${node.title}” was not deleted`,
})

/** Hides a document and deletes it when Undo is no longer offered: its versions and comments cannot be brought back. */
export const deleteDocument = (projectId: string, kind: Kind, node: TreeNode) =>
  deleteWithUndo(node.id, `“${node.title}” deleted`, () => void removeDocument(projectId, { kind, node }))

/** The documents that are deleted, or will be when Undo is no longer offered. */
export function useDeleted(): string[] {
  const [offered, sent] = [useStore(leaving), useStore(removing)]
  return useMemo(() => [...new Set([...offered.keys(), ...sent])], [offered, sent])
}

export const whatDeleteDoes = (kind: Kind, tree: Tree, node: TreeNode): string => {
  const group = tree.groups.find(({ id }) => id === node.group_id)!
  const children = tree.nodes.filter(({ parent_id }) => parent_id === node.id).length
  const parts = [`Its text, versions, suggestions and comments are deleted for everyone.`]
  if (kind === 'requirements' && group.name === 'FEATURE') parts.push('Its feature blueprint is deleted with it.')
  if (children === 1) parts.push('The document below it moves up to its place.')
  if (children > 1) parts.push(`The ${children} documents below it move up to its place.`)
  return parts.join(' ')
}
