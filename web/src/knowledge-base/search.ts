import type { Kind } from '../artifacts/kinds.ts'
import { KINDS, SORTS, type Sort } from './artifact.ts'

/** What the address of a folder holds. */
export interface KnowledgeSearch {
  q?: string | undefined
  /** `image,pdf` */
  kind?: string | undefined
  order?: Sort | undefined
  layout?: 'grid' | undefined
  /** The id of the file that is open beside the list. */
  beside?: string | undefined
}

const MAX_WORDS = 200
const ID = /^[0-9a-f-]{36}$/

/** Leaves out what it does not understand, so an old or mistyped address still opens the list. */
export function readKnowledgeSearch(raw: Record<string, unknown>): KnowledgeSearch {
  const search: KnowledgeSearch = {}
  if (typeof raw.q === 'string' && raw.q.trim() !== '') search.q = raw.q.slice(0, MAX_WORDS)
  const kinds = kindsOf(raw)
  if (kinds.length > 0) search.kind = kinds.join()
  if (SORTS.includes(raw.order as Sort) && raw.order !== 'name') search.order = raw.order as Sort
  if (raw.layout === 'grid') search.layout = 'grid'
  if (typeof raw.beside === 'string' && ID.test(raw.beside)) search.beside = raw.beside
  return search
}

export const kindsOf = ({ kind }: { kind?: unknown }): Kind[] =>
  typeof kind === 'string' ? KINDS.filter((one) => kind.split(',').includes(one)) : []
