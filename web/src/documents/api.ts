import type { DocumentTree, HistoryEntry } from '@slipway/sdk'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { countsQuery } from '../lib/counts.ts'
import { documentsOf, type Kind } from './kind.ts'

export type { HistoryEntry }
export type Tree = DocumentTree
export type TreeNode = DocumentTree['nodes'][number]
export type TreeGroup = DocumentTree['groups'][number]

export const treeQuery = (projectId: string, kind: Kind) =>
  queryOptions({
    queryKey: [projectId, 'document-tree', kind],
    queryFn: async ({ signal }) => (await documentsOf(projectId, kind).getTree({ signal })).data,
  })

/** What stands around the text. The text itself is live, so only its first line comes along. */
export const documentQuery = (projectId: string, kind: Kind, id: string) =>
  queryOptions({
    queryKey: [projectId, 'document', kind, id],
    queryFn: async ({ signal }) => {
      const { markdown_content: _, ...rest } = (
        await documentsOf(projectId, kind).get(id, { start_line: 1, end_line: 1 }, { signal })
      ).data
      return rest
    },
  })

/** The text with its entity tag. Below the key of the document, so it is loaded again with it. */
export const contentQuery = (projectId: string, kind: Kind, id: string) =>
  queryOptions({
    queryKey: [...documentQuery(projectId, kind, id).queryKey, 'content'] as QueryKey,
    queryFn: async ({ signal }) => {
      const { data, meta } = await documentsOf(projectId, kind).get(id, {}, { signal })
      return { text: data.markdown_content, etag: meta.etag }
    },
    staleTime: 0,
  })

export const versionsQuery = (projectId: string, kind: Kind, id: string) =>
  queryOptions({
    queryKey: [projectId, 'document-review', id, 'versions'],
    queryFn: async ({ signal }) => (await documentsOf(projectId, kind).listVersions(id, { signal })).items,
  })

/** The versions with who wrote each. */
export const historyQuery = (projectId: string, kind: Kind, id: string) =>
  queryOptions({
    queryKey: [projectId, 'document-review', id, 'history'],
    queryFn: async ({ signal }) => (await documentsOf(projectId, kind).getHistory(id, { signal })).items,
  })

/** What others wrote since this person last looked. Read once, when the document is opened. */
export const visitQuery = (projectId: string, kind: Kind, id: string) =>
  queryOptions({
    queryKey: [projectId, 'document-visit', id],
    queryFn: async ({ signal }) => (await documentsOf(projectId, kind).getVisit(id, { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** The text of a version. Only the current one can still change, while someone types. */
export const versionQuery = (projectId: string, kind: Kind, id: string, versionId: string, isCurrent: boolean) =>
  queryOptions({
    queryKey: [projectId, isCurrent ? 'document-review' : 'document-version', id, versionId] as QueryKey,
    queryFn: async ({ signal }) =>
      (await documentsOf(projectId, kind).getVersion(id, versionId, { signal })).data.markdown_content,
    staleTime: isCurrent ? 0 : Number.POSITIVE_INFINITY,
  })

/** The suggestions and the threads of comments. */
export const reviewQuery = (projectId: string, kind: Kind, id: string) =>
  queryOptions({
    queryKey: [projectId, 'document-review', id, 'review'],
    queryFn: async ({ signal }) => (await documentsOf(projectId, kind).getReview(id, { signal })).data,
  })

export const countQuery = (projectId: string, kind: Kind) =>
  queryOptions({ ...countsQuery(projectId), select: (counts) => counts[kind] })
