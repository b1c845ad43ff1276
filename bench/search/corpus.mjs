import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { raw } from '../../server/dist/kernel/database/index.js'

const run = promisify(execFile)

export const KIND = 'note'
const BATCH = 500
/** Packages with much documentation, in addition to those that are installed here. */
const PACKAGES = [
  'aws-cdk-lib@2.219.0',
  'core-js@3.45.1',
  'ember-cli@6.7.0',
  'eslint-plugin-import@2.32.0',
  'antd@3.26.20',
]
const REPOSITORY = join(import.meta.dirname, '..', '..')

/**
 * Returns markdown from npm packages. With `sections`, divides each file at its headings and long sections between
 * paragraphs, which gives many more and smaller documents. Leaves out duplicates and nearly empty documents.
 */
export async function readCorpus({ sections = false, limit = Number.POSITIVE_INFINITY } = {}) {
  const folders = [join(REPOSITORY, 'node_modules'), ...(await Promise.all(PACKAGES.map(unpack)))]
  const contents = new Set()
  for (const folder of folders)
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile() || !file.name.endsWith('.md')) continue
      const text = (await readFile(join(file.parentPath, file.name), 'utf8')).replaceAll('\0', '').toWellFormed()
      for (const part of sections ? paragraphs(text) : chapters(text)) if (part.length > 50) contents.add(part)
    }
  return [...contents].slice(0, limit)
}

/** Divides long files, such as change logs, at their headings. */
function chapters(text) {
  if (text.length < 10_240) return [text]
  const parts = []
  for (const section of text.split(/^(?=#{1,3} )/m)) {
    if (parts.length > 0 && parts.at(-1).length + section.length < 6_144) parts[parts.length - 1] += section
    else parts.push(section)
  }
  return parts
}

function paragraphs(text) {
  const parts = []
  for (const part of text.split(/^(?=#{1,4} )|\n\n+/m))
    if (parts.length > 0 && parts.at(-1).length < 250 && !part.startsWith('#')) parts[parts.length - 1] += `\n\n${part}`
    else parts.push(part)
  return parts
}

/** Downloads and unpacks a package, unless an earlier run did. */
async function unpack(name) {
  const folder = join(tmpdir(), 'slipway-bench-corpus', name.replace(/[^\w.-]/g, '_'))
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length === 0) {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder, name])
    await run('tar', ['xzf', join(folder, stdout.trim()), '-C', folder])
  }
  return folder
}

/** Inserts a project with the tables that a search reads. */
export async function addProject(sql) {
  const [organization, projectId, treeId] = [randomUUID(), randomUUID(), randomUUID()]
  await sql`insert into organizations (id, name) values (${organization}, 'Bench')`
  await sql`insert into projects (id, organization_id, name) values (${projectId}, ${organization}, 'Bench')`
  await sql`insert into document_trees (project_id, id, kind, name, locked, position)
    values (${projectId}, ${treeId}, ${KIND}, 'Notes', false, 0)`
  return { projectId, treeId, kind: KIND }
}

/** Inserts documents into the database and, if a folder is given, writes them to files for ripgrep. */
export async function fill(sql, { projectId, treeId, kind }, contents, folder) {
  if (folder) await mkdir(folder, { recursive: true })
  const ids = []
  while (ids.length < contents.length) {
    const rows = contents.slice(ids.length, ids.length + BATCH).map((markdown_content, at) => {
      const number = ids.length + at
      return {
        project_id: projectId,
        id: `00000000-0000-7000-8001-${String(number).padStart(12, '0')}`,
        kind,
        tree_id: treeId,
        position: number,
        title: titleOf(markdown_content),
        markdown_content,
        version_id: randomUUID(),
        version_number: 1,
        created_at: '2026-01-01T00:00:00Z',
        // Spreads the update times, so that the order does not depend on the source.
        updated_at: new Date(Date.UTC(2026, 0, 1) + ((number * 7_919) % 1e6) * 1_000).toISOString(),
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

const titleOf = (content) => (/^#+ *(.+)$/m.exec(content)?.[1] ?? content.trim().split('\n')[0]).slice(0, 200)
