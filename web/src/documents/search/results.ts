import * as api from '@slipway/sdk/resources'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callOf, SlipwayError } from '../../lib/client.ts'
import { groupTitle, type Kind } from '../kind.ts'

/** The most that the server returns. */
export const MAX_DOCUMENTS = 100
const BUSY_RETRIES = 3

export interface Hit {
  id: string
  title: string
  /** The document type or category. */
  group: string
  matches: { line_number: number; line: string; before_context: string[]; after_context: string[] }[]
}

export interface Asked {
  query: string
  caseSensitive: boolean
  context: number
  /** A group, or a document with everything below it. */
  within: string | undefined
}

export const isBusy = (err: unknown): err is SlipwayError =>
  err instanceof SlipwayError && (err.status === 503 || err.status === 429)

/** Looks for lines. A server that is busy says when to come back, and is asked again then. */
export const hitsQuery = (projectId: string, kind: Kind, { query, caseSensitive, context, within }: Asked) =>
  queryOptions({
    queryKey: [projectId, 'text-search', kind, query, caseSensitive, context, within],
    enabled: query !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Hit[]> => {
      const body = { query, case_sensitive: caseSensitive, context_lines: context, limit: MAX_DOCUMENTS }
      const options = { signal, retries: 0 }
      const call = callOf(projectId)
      const part = within === undefined ? undefined : { ...body, within }
      if (kind === 'requirements')
        return (
          await (part
            ? api.requirements(call).searchWithin(part, options)
            : api.requirements(call).search(body, options))
        ).items.map(({ id, title, document_type, matches }) => ({
          id,
          title,
          group: groupTitle(document_type),
          matches,
        }))
      return (
        await (part ? api.blueprints(call).searchWithin(part, options) : api.blueprints(call).search(body, options))
      ).items.map(({ id, title, category_name, matches }) => ({
        id,
        title,
        group: category_name,
        matches,
      }))
    },
    retry: (count, err) => isBusy(err) && count < BUSY_RETRIES,
    retryDelay: (_, err) => ((isBusy(err) && err.retryAfter) || 2) * 1_000,
  })

export type ResultRow =
  | { type: 'document'; key: string; hit: Hit; isOpen: boolean }
  | { type: 'line'; key: string; hit: Hit; number: number; text: string; isMatch: boolean }
  | { type: 'gap'; key: string }

/** The lines of the answer as they stand below each other. A line that several matches show stands once. */
export function rowsOfHits(hits: Hit[], closed: ReadonlySet<string>): ResultRow[] {
  const rows: ResultRow[] = []
  for (const hit of hits) {
    const isOpen = !closed.has(hit.id)
    rows.push({ type: 'document', key: hit.id, hit, isOpen })
    if (!isOpen) continue
    const lines = new Map<number, { text: string; isMatch: boolean }>()
    const add = (number: number, text: string, isMatch: boolean) => {
      if (isMatch || !lines.has(number)) lines.set(number, { text, isMatch })
    }
    for (const { line_number: number, line, before_context, after_context } of hit.matches) {
      for (const [at, text] of before_context.entries()) add(number - before_context.length + at, text, false)
      add(number, line, true)
      for (const [at, text] of after_context.entries()) add(number + 1 + at, text, false)
    }
    let last: number | undefined
    for (const number of [...lines.keys()].sort((a, b) => a - b)) {
      if (last !== undefined && number > last + 1) rows.push({ type: 'gap', key: `${hit.id}.${number}.gap` })
      rows.push({ type: 'line', key: `${hit.id}.${number}`, hit, number, ...lines.get(number)! })
      last = number
    }
  }
  return rows
}
