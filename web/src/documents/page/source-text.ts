import { useNavigate, useRouteContext } from '@tanstack/react-router'
import type { SourceText } from '../../editor/source/MarkdownSource.tsx'
import { sourceFault } from '../../editor/source/source-fault.ts'
import { contentQuery } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'

export const sourceName = (kind: Kind, id: string) => `${kind}-${id}`

/** The markdown of a document, to be typed as it is stored. */
export function useSourceText(kind: Kind, id: string, title: string): SourceText {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  return {
    name: sourceName(kind, id),
    title,
    query: contentQuery(project.id, kind, id),
    write: async (markdown_content, etag) =>
      (await documentsOf(project.id, kind).update(id, { markdown_content }, etag ? { ifMatch: etag } : {})).meta.etag,
    findFault: sourceFault,
    open: () =>
      void navigate({ to: `/p/$projectId/${kind}/$documentId`, params: { projectId: project.id, documentId: id } }),
  }
}
