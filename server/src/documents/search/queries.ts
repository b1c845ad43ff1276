import { type Db, query } from '../../kernel/database/index.ts'
import { rest, type Time } from '../../kernel/searches/pace.ts'
import { ThreadDeadlineError } from '../../kernel/threads/threads.ts'
import { placesOf, SIGNATURE_FORMAT } from './signature-format.ts'
import type { Condition } from './trigrams.ts'
import type { Plan } from './worker.ts'

export interface Candidate {
  id: string
  title: string
  treeName: string
  content: string
}

interface Scope {
  projectId: string
  kind: string
}

/** How PostgreSQL is asked for documents that may match, the most recently updated first. */
export interface Sieve {
  column: 'title' | 'content'
  pattern: string | undefined
  /** The documents to look at: their `id`, `title`, `content` and, by their order, `number`. */
  documents: string
  scope: Scope
}

export const sieveByTitle = (scope: Scope, { postgresPattern }: Plan): Sieve => ({
  column: 'title',
  pattern: postgresPattern,
  documents: documentsOf('', ''),
  scope,
})

/** The trigrams are looked at for all documents, which is cheap; then the contents, as far as documents are asked for. */
export const sieveByContent = (scope: Scope, { postgresPattern, trigrams }: Plan): Sieve => ({
  column: 'content',
  pattern: postgresPattern,
  documents:
    trigrams === true
      ? documentsOf('', '')
      : documentsOf(
          `left join document_search s on s.project_id = d.project_id and s.document_id = d.id
             and s.content_tag = d.content_tag and s.format = '${SIGNATURE_FORMAT}'`,
          `and (s.document_id is null or ${toSql(trigrams)})`,
        ),
  scope,
})

const documentsOf = (join: string, condition: string) => `
  select d.id, d.title, d.markdown_content as content, row_number() over (order by d.updated_at desc, d.id) as number
  from documents d ${join}
  where d.project_id = $1 and d.kind = $2 ${condition}
  order by d.updated_at desc, d.id`

/**
 * Besides the documents that may match, each so-many-th gives a row without an id: so it can be said how many are looked
 * at until there is an answer. What stands before `offset 0` is worked out row by row, as rows are asked for.
 */
function toSelect({ column, pattern, documents }: Sieve, every: number): string {
  if (pattern === undefined) return `select id from (${documents} offset 0) documents`
  return `select case when is_match then id end as id
    from (select id, number, ${column} ~ $3 as is_match from (${documents} offset 0) documents offset 0) looked_at
    where is_match or number % ${every} = 0`
}

/** Rows take time as well; only a search that is held up has to be able to stop after each document. */
const DOCUMENTS_A_ROW = 20
const FIRST_STEP = 5
const LARGEST_STEP = 200
let opened = 0

/** Ids of the documents that the sieve lets through, in steps that take as long, with what is done with each, as the pace says. */
export async function* siftDocuments(db: Db, sieve: Sieve, time: Time): AsyncGenerator<string[]> {
  // Of its own name: it stays until the transaction ends, which may go on to search for something else.
  const cursor = `search_${++opened}`
  const { projectId, kind } = sieve.scope
  const select = toSelect(sieve, time.pace.isHeld() ? 1 : DOCUMENTS_A_ROW)
  // Not prepared: the text differs from pattern to pattern.
  await query(
    db,
    `declare ${cursor} no scroll cursor for ${select}`,
    sieve.pattern === undefined ? [projectId, kind] : [projectId, kind, sieve.pattern],
    { prepare: false },
  )
  for (let step = FIRST_STEP; ; ) {
    const startedAt = performance.now()
    const rows = await query<{ id: string | null }>(db, `fetch ${step} from ${cursor}`, [], { prepare: false })
    yield rows.flatMap(({ id }) => id ?? [])
    if (rows.length < step) return
    const tookMs = performance.now() - startedAt
    await rest(time)
    if (time.leftMs() <= 0) throw new ThreadDeadlineError('The search is out of time.')
    const fitting = Math.round((step * time.pace.stretchMs()) / tookMs)
    step = Math.min(Math.max(fitting, Math.ceil(step / 4), 1), step * 4, LARGEST_STEP)
  }
}

/** In the order of the ids. What was deleted since they were found is left out. */
export async function readCandidates(db: Db, projectId: string, ids: string[]): Promise<Candidate[]> {
  const rows = await db<Candidate[]>`
    select d.id, d.title, t.name as "treeName", d.markdown_content as content
    from documents d join document_trees t on t.project_id = d.project_id and t.id = d.tree_id
    where d.project_id = ${projectId} and d.id = any(${ids}::uuid[])`
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

function toSql(condition: Exclude<Condition, true>): string {
  if (typeof condition === 'number')
    return `(${placesOf(condition)
      .map((place) => `get_bit(s.signature, (${place} & (octet_length(s.signature) * 8 - 1))::bigint) = 1`)
      .join(' and ')})`
  const [conditions, word] = 'all' in condition ? [condition.all, ' and '] : [condition.any, ' or ']
  return `(${conditions.map((one) => (one === true ? 'true' : toSql(one))).join(word)})`
}

/** The documents whose trigrams are not known as they are now, with the bytes of their contents. */
export function listUnsignedDocuments(db: Db, projectId: string, limit: number) {
  return db<{ id: string; bytes: number }[]>`
    select d.id, octet_length(d.markdown_content) as bytes
    from documents d
    left join document_search s on s.project_id = d.project_id and s.document_id = d.id
      and s.content_tag = d.content_tag and s.format = ${SIGNATURE_FORMAT}
    where d.project_id = ${projectId} and s.document_id is null
    limit ${limit}`
}

export function listContents(db: Db, projectId: string, ids: string[]) {
  return db<{ id: string; content_tag: string; content: string }[]>`
    select id, content_tag, markdown_content as content from documents
    where project_id = ${projectId} and id = any(${ids}::uuid[])`
}

/** A document that was deleted meanwhile is left out. */
export async function saveSignatures(
  db: Db,
  projectId: string,
  signed: { id: string; content_tag: string; signature: string }[],
): Promise<void> {
  await db`
    insert into document_search (project_id, document_id, content_tag, format, signature)
    select d.project_id, d.id, n.content_tag, ${SIGNATURE_FORMAT}, decode(n.signature, 'hex')
    from unnest(${signed.map((one) => one.id)}::uuid[], ${signed.map((one) => one.content_tag)}::bigint[],
      ${signed.map((one) => one.signature)}::text[]) n (id, content_tag, signature)
    join documents d on d.project_id = ${projectId} and d.id = n.id
    on conflict (project_id, document_id) do update
    set content_tag = excluded.content_tag, format = excluded.format, signature = excluded.signature`
}
