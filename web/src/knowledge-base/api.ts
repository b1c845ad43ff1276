import type { ArtifactFolder, ArtifactUse, TrashedArtifact } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { infiniteQueryOptions, keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { Kind } from '../artifacts/kinds.ts'
import { callOf } from '../lib/client.ts'
import type { Sort } from './artifact.ts'

export type { ArtifactUse, TrashedArtifact }
export type Folder = ArtifactFolder

const page_size = 100

/** All folders. Lists and the tree need the way to each. */
export const foldersQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'artifact-folders'],
    queryFn: async ({ signal }) => {
      const { items, root_file_count } = await api.artifacts(callOf(projectId)).listFolders({ signal })
      return { folders: items, rootCount: root_file_count }
    },
  })

export interface Browsing {
  q?: string | undefined
  kinds: Kind[]
  sort: Sort
}

export const ROWS = 'artifact-rows'

/** What lies in a folder, a page at a time. Undefined is the root. */
export const rowsQuery = (projectId: string, folderId: string | undefined, { q, kinds, sort }: Browsing) =>
  infiniteQueryOptions({
    queryKey: [projectId, ROWS, folderId ?? null, { q, kinds, sort }],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api
        .artifacts(callOf(projectId))
        .listRows(
          { parent_id: folderId, q, kind: kinds.length > 0 ? kinds : undefined, sort, page, page_size },
          { signal },
        ),
    getNextPageParam: ({ page, total_pages }) => (page < total_pages ? page + 1 : undefined),
    // What was found stays while the next words are looked for, but not what lay in another folder.
    placeholderData: (before, query) => (query?.queryKey[2] === (folderId ?? null) ? before : undefined),
  })

/** What lists show of one artifact. */
export const rowQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'artifact', id],
    queryFn: async ({ signal }) => (await api.artifacts(callOf(projectId)).getRow(id, { signal })).data,
  })

/** The text of a document, with the tag of its state. */
export const textQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'artifact', id, 'text'] as QueryKey,
    queryFn: async ({ signal }) => {
      const { data, meta } = await api.artifacts(callOf(projectId)).get(id, { signal })
      return { text: data.markdown_content ?? '', etag: meta.etag }
    },
  })

/** The versions of a document with who wrote each, the newest first. */
export const historyQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'artifact', id, 'history'] as QueryKey,
    queryFn: async ({ signal }) => (await api.artifacts(callOf(projectId)).getHistory(id, { signal })).items,
  })

/** The text of a version. Only the current one can still change, while someone types. */
export const versionQuery = (projectId: string, id: string, versionId: string, isCurrent: boolean) =>
  queryOptions({
    queryKey: [projectId, isCurrent ? 'artifact' : 'artifact-version', id, 'version', versionId] as QueryKey,
    queryFn: async ({ signal }) =>
      (await api.artifacts(callOf(projectId)).getVersion(id, versionId, { signal })).data.markdown_content,
    staleTime: isCurrent ? 0 : Number.POSITIVE_INFINITY,
  })

export const usesQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'artifact-uses', id],
    queryFn: async ({ signal }) => (await api.artifacts(callOf(projectId)).listUses(id, { signal })).items,
  })

export const trashQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: [projectId, 'artifact-trash'],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.artifacts(callOf(projectId)).listTrash({ page, page_size }, { signal }),
    getNextPageParam: ({ page, total_pages }) => (page < total_pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
