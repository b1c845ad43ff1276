import { clientOf } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toasts.ts'
import { countQuery, type TreeGroup, treeQuery } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'

/** Leaves room for what is added, below what the server takes. */
const LONGEST_TITLE = 490

/** Makes a copy beside the document, of the text without what is only suggested. Returns its id. */
export async function duplicateDocument(
  projectId: string,
  kind: Kind,
  { id, group, parentId }: { id: string; group: TreeGroup; parentId: string | null },
): Promise<string | undefined> {
  const client = clientOf(projectId)
  try {
    const { data: original } = await documentsOf(projectId, kind).get(id, { suggestions: 'rejected' })
    const content = {
      title: `${original.title.slice(0, LONGEST_TITLE)} (copy)`,
      parent_id: parentId,
      markdown_content: original.markdown_content,
    }
    const { data } =
      kind === 'requirements'
        ? await client.requirements.create({ ...content, document_type: group.name as 'FEATURE' })
        : await client.blueprints.create({ ...content, category_id: group.id })
    await queryClient.invalidateQueries({ queryKey: treeQuery(projectId, kind).queryKey })
    void queryClient.invalidateQueries({ queryKey: countQuery(projectId, kind).queryKey })
    showToast({ text: `“${original.title}” duplicated` })
    return data.id
  } catch (err) {
    const run = () => void duplicateDocument(projectId, kind, { id, group, parentId })
    showToast({
      text: 'The document was not duplicated',
      detail: (err as Error).message,
      tone: 'error',
      action: { label: 'Retry', run },
    })
    return undefined
  }
}
