import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { askAbout } from '../../lib/ask-about.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { noteHere } from '../../lib/still-here.ts'
import { showToast } from '../../lib/toasts.ts'
import { IconCopy, IconDownload, IconFileText, IconMessages, IconPrinter } from '../../ui/icons.ts'
import type { MenuLine } from '../../ui/Menu.tsx'
import { treeQuery } from '../api.ts'
import { download } from '../download/download.ts'
import type { Kind } from '../kind.ts'
import { duplicateDocument, sayCreated } from '../tree/creation.ts'

const SIZE = { size: 16, stroke: 1.75 }

/** What can be done with a document as a whole. `run` returns false for what is not its own. */
export function useDocumentActions(
  kind: Kind,
  document: { id: string; title: string } | undefined,
  loadMarkdown: () => Promise<string>,
) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const tree = useQuery(treeQuery(project.id, kind)).data
  const node = tree?.nodes.find(({ id }) => id === document?.id)
  const group = tree?.groups.find(({ id }) => id === node?.group_id)
  // A feature blueprint comes with its requirement.
  const mayDuplicate = mayWrite && node && group && !group.locked
  const options: MenuLine[] = [
    ...(mayWrite ? [{ value: 'ask', label: 'Ask about this', icon: <IconMessages {...SIZE} />, divided: true }] : []),
    ...(mayDuplicate ? [{ value: 'duplicate', label: 'Duplicate', icon: <IconCopy {...SIZE} />, divided: true }] : []),
    { value: 'print', label: 'Print or save as PDF', icon: <IconPrinter {...SIZE} />, divided: !mayDuplicate },
    { value: 'markdown', label: 'Download as markdown', icon: <IconDownload {...SIZE} /> },
    { value: 'word', label: 'Download for Word', icon: <IconFileText {...SIZE} /> },
  ]
  const run = (value: string): boolean => {
    if (!document) return false
    if (value === 'ask') askAbout(project.id, { name: document.title, href: `/p/${project.id}/${kind}/${document.id}` })
    else if (value === 'duplicate' && node && group) void duplicate(node.parent_id)
    else if (value === 'print') print()
    else if (value === 'markdown' || value === 'word') void download(value, document.title, loadMarkdown)
    else return false
    return true
  }
  const duplicate = async (parentId: string | null) => {
    const isStillHere = noteHere()
    const copy = await duplicateDocument(project.id, kind, { id: document!.id, group: group!, parentId })
    if (!copy) return
    if (!isStillHere()) return sayCreated(project.id, kind, copy.id, copy.title)
    showToast({ text: `“${document!.title}” duplicated` })
    await navigate({ to: `/p/$projectId/${kind}/$documentId`, params: { projectId: project.id, documentId: copy.id } })
  }
  return { options: document ? options : [], run }
}
