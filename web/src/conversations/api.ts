import type { ConversationEntry, ConversationProposal, ConversationRow, ConversationTranscript } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callOf } from '../lib/client.ts'
import { queryClient } from '../lib/query-client.ts'
import type { ConversationSearch } from './search.ts'

export type Row = ConversationRow
export type Transcript = ConversationTranscript
export type Entry = ConversationEntry
export type Proposal = ConversationProposal

/** What every query of the module begins with. */
export const conversationsKey = (projectId: string) => [projectId, 'conversations'] as const
export const rowsKey = (projectId: string) => [...conversationsKey(projectId), 'rows'] as const
export const transcriptKey = (projectId: string, id: string) =>
  [...conversationsKey(projectId), 'transcript', id] as const

export const rowsQuery = (projectId: string, { q, origin }: ConversationSearch) =>
  infiniteQueryOptions({
    queryKey: [...rowsKey(projectId), q ?? '', origin ?? ''],
    queryFn: ({ signal, pageParam: cursor }) =>
      api
        .conversations(callOf(projectId))
        .listReadable({ ...(q && { query: q }), ...(origin && { origin }), ...(cursor && { cursor }) }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    retry: false,
  })

export const modelQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...conversationsKey(projectId), 'model'],
    queryFn: async ({ signal }) => (await api.conversations(callOf(projectId)).getModel({ signal })).data,
    staleTime: 60_000,
  })

/** The end of a conversation, and of what comes before it as much as was read. Entries never change, so they stay. */
export const transcriptQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: transcriptKey(projectId, id),
    queryFn: async ({ signal }): Promise<Transcript> => {
      const { data } = await api.conversations(callOf(projectId)).getTranscript(id, {}, { signal })
      return joined(queryClient.getQueryData<Transcript>(transcriptKey(projectId, id)), data)
    },
  })

/** Keeps earlier entries, unless something between them and the new ones was never read. */
export function joined(old: Transcript | undefined, page: Transcript): Transcript {
  const first = page.entries[0]?.number
  const before = old?.entries.filter(({ number }) => first === undefined || number < first) ?? []
  if (before.length === 0 || first === undefined || before.at(-1)!.number !== first - 1) return page
  return { ...page, entries: [...before, ...page.entries], before: old!.before }
}

/** Reads what was said before the first entry that is shown. */
export async function loadEarlier(projectId: string, id: string, before: number): Promise<void> {
  const { data } = await api.conversations(callOf(projectId)).getTranscript(id, { before })
  queryClient.setQueryData<Transcript>(transcriptKey(projectId, id), (old) => {
    const isNext = old && old.before === before
    return isNext ? { ...old, entries: [...data.entries, ...old.entries], before: data.before } : old
  })
}

/** Shows a message as soon as it is stored. */
export function addEntry(projectId: string, id: string, entry: Entry): void {
  queryClient.setQueryData<Transcript>(transcriptKey(projectId, id), (old) => {
    const last = old?.entries.at(-1)?.number ?? 0
    // One that does not follow is read with the rest, when the turn has ended.
    return old && entry.number === last + 1 ? { ...old, entries: [...old.entries, entry] } : old
  })
}
