import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { json, type Sql } from '../../../kernel/database/index.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'

export interface Written {
  id?: string
  kind?: string
  title?: string
  content?: string
  updatedAt?: string
}

export async function addProjectRow(sql: Sql): Promise<{ projectId: string; treeId: string }> {
  const [organizationId, projectId, treeId] = [uuidv7(), uuidv7(), uuidv7()]
  await sql`insert into organizations (id, name) values (${organizationId}, ${organizationId})`
  await sql`insert into projects (id, organization_id, name) values (${projectId}, ${organizationId}, 'Project')`
  await sql`insert into document_trees (project_id, id, kind, name, locked, position)
    values (${projectId}, ${treeId}, 'note', 'Notes', false, 0)`
  return { projectId, treeId }
}

/** Inserts rows directly, without the checks of the API. */
export async function addDocumentRows(
  sql: Sql,
  { projectId, treeId }: { projectId: string; treeId: string },
  documents: Written[],
): Promise<string[]> {
  const rows = documents.map(({ id, kind, title, content, updatedAt }, position) => ({
    project_id: projectId,
    id: id ?? uuidv7(),
    kind: kind ?? 'note',
    tree_id: treeId,
    position,
    title: title ?? '-',
    markdown_content: content ?? '',
    version_id: uuidv7(),
    version_number: 1,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: updatedAt ?? '2026-01-01T00:00:00Z',
  }))
  for (let at = 0; at < rows.length; at += 500) {
    const some = rows.slice(at, at + 500)
    await sql`insert into resources (project_id, id, resource_type)
      select ${projectId}, id, 'note' from unnest(${some.map((one) => one.id)}::uuid[]) as id`
    await sql`insert into documents (project_id, id, kind, tree_id, position, title, markdown_content, version_id,
        version_number, created_at, updated_at)
      select project_id, id, kind, tree_id, position, title, markdown_content, version_id, version_number, created_at, updated_at
      from jsonb_populate_recordset(null::documents, ${json(some)}::jsonb)`
  }
  return rows.map(({ id }) => id)
}

/** Writes the texts to files and searches them with ripgrep. */
export function openRipgrep(contents: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'slipway-rg-'))
  for (const [at, content] of contents.entries()) writeFileSync(path.join(folder, String(at)), content)
  return {
    /** Returns `<file>:<line>`, sorted, or undefined if ripgrep refuses the pattern. */
    lines(pattern: string, { caseSensitive = false } = {}): string[] | undefined {
      const flags = ['--no-config', '--null', '-naH', '--no-heading', '--color=never', '--encoding=none']
      const args = [...flags, caseSensitive ? '-s' : '-i', '-e', pattern, '.']
      try {
        const out = execFileSync(rgPath, args, { cwd: folder, maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })
        return out
          .toString()
          .split('\n')
          .filter(Boolean)
          .map((line) => /^\.\/(\d+)\0(\d+):/.exec(line)!.slice(1).join(':'))
          .sort()
      } catch (err) {
        if ((err as { status?: number }).status === 1) return []
        return undefined
      }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
