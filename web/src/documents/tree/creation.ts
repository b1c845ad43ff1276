import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { temporaryId } from '../../lib/ids.ts'
import { openAddress } from '../../lib/navigate.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { showToast } from '../../lib/toasts.ts'
import type { TreeGroup, TreeNode } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'
import { reloadTree, showTree } from './shown-tree.ts'

interface NewDocument {
  kind: Kind
  /** As the tree shows it, until the server has given it an id. */
  node: TreeNode
  group: string
  markdown?: string
}

const addDocument = defineWrite<NewDocument, { id: string }>({
  name: 'documents.create',
  waits: true,
  words: ({ node, markdown }) => [node.title, markdown],
  about: ({ node: { id, title, parent_id } }) => ({
    text: `New document “${title}”`,
    subjects: [id, ...(parent_id ? [parent_id] : [])],
    part: 'creation',
  }),
  async send({ kind, node: { title, parent_id, group_id }, group, markdown }, { projectId, key }) {
    const call = callOf(projectId)
    const content = { title, parent_id, ...(markdown !== undefined && { markdown_content: markdown }) }
    const options = { idempotencyKey: key }
    const { data } =
      kind === 'requirements'
        ? await api.requirements(call).create({ ...content, document_type: group as 'FEATURE' }, options)
        : await api.blueprints(call).create({ ...content, category_id: group_id }, options)
    return { id: data.id }
  },
  show: ({ kind, node }, projectId) =>
    showTree(projectId, kind, (tree) =>
      tree.nodes.some(({ id }) => id === node.id) ? tree : { ...tree, nodes: [...tree.nodes, node] },
    ),
  hide: ({ kind, node }, projectId) =>
    showTree(projectId, kind, (tree) => ({ ...tree, nodes: tree.nodes.filter(({ id }) => id !== node.id) })),
  saved({ id }, { kind, node }, { projectId, waited }) {
    showTree(projectId, kind, (tree) => ({
      ...tree,
      nodes: tree.nodes.map((one) => (one.id === node.id ? { ...one, id } : one)),
    }))
    void reloadTree(projectId, kind)
    if (waited) sayCreated(projectId, kind, id, node.title)
  },
  failure: ({ node }) => `“${node.title}” was not created`,
})

/** For someone who has gone on to something else since. */
export const sayCreated = (projectId: string, kind: Kind, id: string, title: string) =>
  showToast({
    text: `“${title}” created`,
    action: { label: 'Open', run: () => openAddress(`/p/${projectId}/${kind}/${id}`) },
  })

interface Place {
  group: TreeGroup
  parentId: string | null
}

/** Returns its id as soon as the server has it. Undefined if that is later. */
export async function createDocument(
  projectId: string,
  kind: Kind,
  { title, group, parentId, markdown }: Place & { title: string; markdown?: string },
): Promise<string | undefined> {
  const node: TreeNode = {
    id: temporaryId(),
    title,
    group_id: group.id,
    parent_id: parentId,
    feature_id: null,
    suggestion_count: 0,
    open_comment_count: 0,
    updated_at: new Date().toISOString(),
  }
  const content = markdown === undefined ? {} : { markdown }
  const outcome = await addDocument(projectId, { kind, node, group: group.name, ...content })
  return outcome.state === 'saved' ? outcome.answer.id : undefined
}

/** Leaves room for what is added, below what the server takes. */
const LONGEST_TITLE = 490

/** Makes a copy beside the document, of the text without what is only suggested. Returns its id. */
export async function duplicateDocument(
  projectId: string,
  kind: Kind,
  { id, ...place }: Place & { id: string },
): Promise<{ id: string; title: string } | undefined> {
  try {
    const { data: original } = await documentsOf(projectId, kind).get(id, { suggestions: 'rejected' })
    const title = `${original.title.slice(0, LONGEST_TITLE)} (copy)`
    const copy = await createDocument(projectId, kind, { ...place, title, markdown: original.markdown_content })
    return copy === undefined ? undefined : { id: copy, title }
  } catch (err) {
    const run = () => void duplicateDocument(projectId, kind, { id, ...place })
    const action = { label: 'Retry', run }
    showToast({ text: 'The document was not duplicated', detail: (err as Error).message, tone: 'error', action })
    return undefined
  }
}
