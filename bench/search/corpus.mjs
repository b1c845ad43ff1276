import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { raw } from '../../server/dist/kernel/database/index.js'
import { markdown, randomSource, title } from '../words.mjs'

export const PROJECT = '00000000-0000-7000-8000-000000000001'
export const KIND = 'note'
export const BYTES = 4096
const BATCH = 500

/** What only a few texts have: the rare ends of the patterns. */
const RARE = [
  [2000, 'The zephyrquartz rule applies here.'],
  [4000, 'Decided on 2026-11-15 by the board.'],
  [1000, 'See RFC-7231 and version v12.4.103.'],
]

function content(random, number) {
  const lines = RARE.filter(([every]) => number % every === 7).map(([, line]) => `\n\n${line}\n`)
  return markdown(random, BYTES) + lines.join('')
}

/** A project as far as the search looks at it. */
export async function addProject(sql) {
  const [organization, tree] = [randomUUID(), randomUUID()]
  await sql`insert into organizations (id, name) values (${organization}, 'Bench')`
  await sql`insert into projects (id, organization_id, name) values (${PROJECT}, ${organization}, 'Bench')`
  await sql`insert into document_trees (project_id, id, kind, name, locked, position)
    values (${PROJECT}, ${tree}, ${KIND}, 'Notes', false, 0)`
  return { projectId: PROJECT, treeId: tree, kind: KIND }
}

/** The same texts every time, into the database and, if there is one, into a folder for ripgrep. */
export async function fill(sql, { projectId, treeId, kind }, howMany, folder) {
  if (folder) await mkdir(folder, { recursive: true })
  const random = randomSource(7)
  const ids = []
  while (ids.length < howMany) {
    const rows = Array.from({ length: Math.min(BATCH, howMany - ids.length) }, (_, at) => {
      const number = ids.length + at
      return {
        project_id: projectId,
        id: `00000000-0000-7000-8001-${String(number).padStart(12, '0')}`,
        kind,
        tree_id: treeId,
        position: number,
        title: title(random),
        markdown_content: content(random, number),
        version_id: randomUUID(),
        version_number: 1,
        created_at: '2026-01-01T00:00:00Z',
        updated_at: new Date(Date.UTC(2026, 0, 1) + random.below(1e9)).toISOString(),
      }
    })
    await sql`insert into resources (project_id, id, resource_type)
      select ${projectId}, id, ${kind} from unnest(${rows.map(({ id }) => id)}::uuid[]) as id`
    await sql`insert into documents (${raw(Object.keys(rows[0]).join(', '))})
      select ${raw(Object.keys(rows[0]).join(', '))} from jsonb_populate_recordset(null::documents, ${JSON.stringify(rows)}::jsonb)`
    for (const { id, markdown_content } of folder ? rows : [])
      await writeFile(join(folder, `${id}.md`), markdown_content)
    ids.push(...rows.map(({ id }) => id))
  }
  await sql`vacuum analyze documents`
  return ids
}
