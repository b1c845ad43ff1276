import * as api from '@slipway/sdk/resources'
import type { InfiniteData } from '@tanstack/react-query'
import { callOf } from '../lib/client.ts'
import { queryClient } from '../lib/query-client.ts'
import { type Folder, foldersQuery, ROWS, rowQuery, trashQuery } from './api.ts'
import type { Row } from './artifact.ts'

type Pages = InfiniteData<{ items: Row[]; total: number }>

/** Changes what lists show of rows, in every folder and search that was read. */
export function showRows(projectId: string, change: (rows: Row[], folderId: string | null) => Row[]): void {
  for (const [key] of queryClient.getQueriesData<Pages>({ queryKey: [projectId, ROWS] }))
    queryClient.setQueryData<Pages>(key, (data) => {
      if (!data) return data
      const folderId = key[2] as string | null
      return { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items, folderId) })) }
    })
}

export function showFolders(projectId: string, change: (folders: Folder[]) => Folder[]): void {
  queryClient.setQueryData(
    foldersQuery(projectId).queryKey,
    (data) => data && { ...data, folders: change(data.folders) },
  )
}

export const showRow = (projectId: string, id: string, part: Partial<Row>) =>
  void queryClient.setQueryData(rowQuery(projectId, id).queryKey, (row) => row && { ...row, ...part })

/** Reads again what is on the screen. */
export const reloadRows = (projectId: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: [projectId, ROWS] }),
    queryClient.invalidateQueries({ queryKey: [projectId, 'artifact'] }),
    queryClient.invalidateQueries({ queryKey: foldersQuery(projectId).queryKey }),
    queryClient.invalidateQueries({ queryKey: trashQuery(projectId).queryKey }),
  ])

/** One as the server has it now. Undefined if it is gone. */
export const readRow = (projectId: string, id: string): Promise<Row | undefined> =>
  api
    .artifacts(callOf(projectId))
    .getRow(id)
    .then(({ data }) => data)
    .catch((err) => {
      if (err.status === 404) return undefined
      throw err
    })
