import * as api from '@slipway/sdk/resources'
import { useNavigate } from '@tanstack/react-router'
import type { SourceText } from '../../editor/source/MarkdownSource.tsx'
import { callOf } from '../../lib/client.ts'
import { textQuery } from '../api.ts'
import type { Row } from '../artifact.ts'

export const sourceName = (id: string) => `artifacts-${id}`

/** The markdown of a document, to be typed as it is stored. */
export function useSourceText(projectId: string, { id, name }: Row): SourceText {
  const navigate = useNavigate()
  return {
    name: sourceName(id),
    title: name,
    query: textQuery(projectId, id),
    write: async (markdown_content, etag) =>
      (await api.artifacts(callOf(projectId)).update(id, { markdown_content }, etag ? { ifMatch: etag } : {})).meta
        .etag,
    open: () =>
      void navigate({ to: '/p/$projectId/knowledge-base/$artifactId', params: { projectId, artifactId: id } }),
  }
}
