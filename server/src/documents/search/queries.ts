import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../kernel/database.ts'
import type { Pace } from './pace.ts'
import { placesOf, SIGNATURE_FORMAT } from './signature-format.ts'
import type { Condition } from './trigrams.ts'
import type { Plan } from './worker.ts'

export interface Candidate {
  id: string
  title: string
  content: string
}

interface Scope {
  projectId: string
  kind: string
}

/** How PostgreSQL is asked for documents that may match, the most recently updated first. */
export interface Sieve {
  text: string
  values: string[]
}

export function sieveByTitle({ projectId, kind }: Scope, { postgresPattern }: Plan): Sieve {
  return {
    text: `select ${flagged('title', postgresPattern)} from documents
      where project_id = $1 and kind = $2
      order by updated_at desc, id`,
    values: parameters(projectId, kind, postgresPattern),
  }
}

/**
 * The trigrams are looked at for all documents, which is cheap; then the contents in order, only as far as documents are
 * asked for (`offset 0` keeps these two apart).
 */
export function sieveByContent({ projectId, kind }: Scope, { postgresPattern, trigrams }: Plan): Sieve {
  const signed =
    trigrams === true
      ? ''
      : `left join document_search s on s.project_id = d.project_id and s.document_id = d.id
           and s.content_tag = d.content_tag and s.format = '${SIGNATURE_FORMAT}'`
  const sieve = trigrams === true ? '' : `and (s.document_id is null or ${toSql(trigrams)})`
  return {
    text: `select ${flagged('content', postgresPattern)} from (
        select d.id, d.markdown_content as content from documents d ${signed}
        where d.project_id = $1 and d.kind = $2 ${sieve}
        order by d.updated_at desc, d.id offset 0
      ) candidates`,
    values: parameters(projectId, kind, postgresPattern),
  }
}

/** A row for each document, also for one that is out, so that it can be said how many to look at. */
const flagged = (column: string, pattern: string | undefined) =>
  pattern === undefined ? 'id' : `case when ${column} ~ $3 then id end as id`

const parameters = (projectId: string, kind: string, pattern: string | undefined) =>
  pattern === undefined ? [projectId, kind] : [projectId, kind, pattern]

const FIRST_STEP = 5
const LARGEST_STEP = 1_000
let opened = 0

/** Ids of the documents that the sieve lets through, in steps that take as long, with what is done with each, as `pace` says. */
export async function* siftDocuments(
  db: Db,
  { text, values }: Sieve,
  pace: Pace,
  leftMs: () => number,
): AsyncGenerator<string[]> {
  // Of its own name: it stays until the transaction ends, which may go on to search for something else.
  const cursor = `search_${++opened}`
  // Not prepared: the text differs from pattern to pattern, and prepared statements are kept for good.
  await db.unsafe(`declare ${cursor} no scroll cursor for ${text}`, values)
  for (let step = FIRST_STEP; ; ) {
    const startedAt = performance.now()
    const rows = await db.unsafe<{ id: string | null }[]>(`fetch ${step} from ${cursor}`)
    yield rows.flatMap(({ id }) => id ?? [])
    if (rows.length < step) return
    const tookMs = performance.now() - startedAt
    const restMs = Math.min(pace.restMs(tookMs), leftMs())
    if (restMs > 0) await delay(restMs)
    const fitting = Math.round((step * pace.stretchMs()) / tookMs)
    step = Math.min(Math.max(fitting, Math.ceil(step / 4), 1), step * 4, LARGEST_STEP)
  }
}

/** In the order of the ids. */
export async function readCandidates(db: Db, projectId: string, ids: string[]): Promise<Candidate[]> {
  const rows = await db<Candidate[]>`
    select id, title, markdown_content as content from documents
    where project_id = ${projectId} and id = any(${ids}::uuid[])`
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => found.get(id)!)
}

function toSql(condition: Exclude<Condition, true>): string {
  if (typeof condition === 'number')
    return `(${placesOf(condition)
      .map((place) => `get_bit(s.signature, (${place} & (octet_length(s.signature) * 8 - 1))::bigint) = 1`)
      .join(' and ')})`
  const [conditions, word] = 'all' in condition ? [condition.all, ' and '] : [condition.any, ' or ']
  return `(${conditions.map((one) => (one === true ? 'true' : toSql(one))).join(word)})`
}

/** For the rest of the transaction: a search is given up with its deadline, and takes no second processor. */
export async function limitStatements(db: Db, timeoutMs: number): Promise<void> {
  await db`select set_config('statement_timeout', ${String(Math.max(Math.ceil(timeoutMs), 1))}, true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true)`
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
