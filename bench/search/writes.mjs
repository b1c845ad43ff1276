import { randomUUID } from 'node:crypto'
import { signDocuments } from '../../server/dist/documents/search/signatures.js'
import { inTransaction, raw } from '../../server/dist/kernel/database/index.js'
import { markdown, randomSource } from '../words.mjs'
import { BYTES, PROJECT } from './corpus.mjs'

const WRITES = 1200
const STEP = 100

/**
 * What a PATCH does to the database, on the table with what the search needs and on a copy without it, by turns. The
 * signatures are brought up to date between the steps, outside the measured time, as searches would do it.
 */
export async function measureWrites(sql, ids) {
  await sql`create table plain_documents (like documents including all)`
  await sql`alter table plain_documents drop column content_tag`
  const { columns } = (
    await sql`select string_agg(quote_ident(column_name), ', ') as columns
      from information_schema.columns where table_name = 'plain_documents'`
  )[0]
  await sql`insert into plain_documents (${raw(columns)}) select ${raw(columns)} from documents`
  await sql`vacuum analyze plain_documents`
  const random = randomSource(11)
  const times = { documents: [], plain_documents: [] }
  for (let step = 0; step < (2 * WRITES) / STEP; step++) {
    const table = step % 2 === 0 ? 'documents' : 'plain_documents'
    for (let write = 0; write < STEP; write++) {
      const id = random.pick(ids)
      const content = markdown(random, BYTES)
      const started = performance.now()
      await patch(sql, table, id, content)
      times[table].push(performance.now() - started)
    }
    if (table === 'documents') await signDocuments(sql, PROJECT)
  }
  await sql`drop table plain_documents`
  const [indexed, plain] = [p50(times.documents), p50(times.plain_documents)]
  console.log(
    `write of 4 KB with a version, p50: ${indexed.toFixed(2)} ms with, ${plain.toFixed(2)} ms without what the search needs, ratio ${(indexed / plain).toFixed(2)} (goal 1.50)`,
  )
}

function patch(sql, table, id, content) {
  return inTransaction({ db: sql }, async ({ db: tx }) => {
    const version = randomUUID()
    const [{ version_number }] = await tx`
      update ${raw(table)} set markdown_content = ${content}, version_id = ${version}, updated_at = now(),
        version_number = version_number + 1
      where project_id = ${PROJECT} and id = ${id} returning version_number`
    // Numbers of its own for each table, as both write to the same versions.
    const number = table === 'documents' ? version_number : version_number + 1_000_000
    await tx`
      insert into document_versions (project_id, document_id, id, version_number, markdown_content, origin_type,
        origin_name, created_at)
      values (${PROJECT}, ${id}, ${version}, ${number}, ${content}, 'external_api', 'Bench', now())`
  })
}

function p50(values) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]
}
