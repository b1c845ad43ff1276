import { type Db, likeSubstring, query, Values } from '../database/index.ts'

/** Where words are looked for: expressions of SQL, never values. */
export interface WordSource {
  /** A table with its alias, and what it is joined with. */
  from: string
  projectId: string
  id: string
  title: string
  /** The title as an index has it. */
  indexedTitle?: string
  /** What people call it by, if it has numbers. */
  number?: string
  status?: string
  /** In a word or two: its type, its place. */
  detail?: string
  /** Longer text that is looked through only when asked for. */
  text?: string
  /** The same text as an index has it. */
  indexedText?: string
  /** Of two that match equally well, the one to show first. */
  newest: string
}

export interface WordQuery {
  words: string[]
  /** Also what has this number. */
  number: number | undefined
  limit: number
  place: 'title' | 'text'
}

export interface FoundByWords {
  id: string
  number: number | null
  title: string
  status: string | null
  detail: string | null
  /** The words in their surroundings. Null for a match in the title. */
  snippet: string | null
  /** How many match, up to `MAX_COUNTED`. */
  total: number
}

export const MAX_COUNTED = 100
const SNIPPET_BEFORE = 40
const SNIPPET_LENGTH = 160

/** Finds what has every word in its title or in its text, ignoring case. The best come first. */
export async function findByWords(
  db: Db,
  projectId: string,
  source: WordSource,
  { words, number, limit, place }: WordQuery,
): Promise<FoundByWords[]> {
  const { from, title, newest } = source
  const text = source.text ?? ''
  const column = place === 'title' ? (source.indexedTitle ?? title) : (source.indexedText ?? text)
  const numbered = number !== undefined && source.number !== undefined && place === 'title'
  if (!column || (words.length === 0 && !numbered)) return []
  const values = new Values()
  const project = values.add(projectId)
  const all = words.length > 0 && `${column} ilike all(${values.add(words.map(likeSubstring))}::text[])`
  const exact = numbered && `${source.number} = ${values.add(number)}::int`
  const first = values.add(words[0] ?? '')
  const starts = `case when ${exact || 'false'} then 0 when starts_with(lower(${title}), lower(${first}::text)) then 1
    else 2 end`
  const snippet =
    place === 'text'
      ? `substring(${text} from greatest(1, position(lower(${first}::text) in lower(${text})) - ${SNIPPET_BEFORE})
          for ${SNIPPET_LENGTH})`
      : 'null::text'
  const statement = `
    select id, number, title, status, detail, snippet, (count(*) over ())::int as total from (
      select ${source.id} as id, ${source.number ?? 'null::int'} as number, ${title} as title,
        ${source.status ?? 'null::text'} as status, ${source.detail ?? 'null::text'} as detail, ${snippet} as snippet,
        ${starts} as rank, row_number() over (order by ${newest}) as age
      from ${from} where ${source.projectId} = ${project} and (${[exact, all].filter(Boolean).join(' or ')})
      order by ${newest} limit ${MAX_COUNTED}
    ) as found order by rank, age limit ${values.add(limit)}`
  return query<FoundByWords>(db, statement, values.all)
}
