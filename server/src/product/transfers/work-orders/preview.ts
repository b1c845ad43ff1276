import type { Ctx } from '../../../kernel/context.ts'
import { quoted } from '../../../kernel/errors.ts'
import { listMemberDetails } from '../../projects/index.ts'
import { listLabels, listPhases } from '../../work-orders/index.ts'
import { readUpload } from '../reading.ts'
import { collectRemarks } from '../remarks.ts'
import type { Columns } from './columns.ts'
import { findImported } from './imported-queries.ts'
import type { Planned } from './plan.ts'
import type { RowsInput, RowsPortion } from './read-rows.ts'

const MOST_SHOWN = 100
/** Labels or phases. */
const MOST_NEW = 500

const thread = new URL('./rows-thread.js', import.meta.url)

/** Reads what the rows of an uploaded file become, a group at a time. */
export async function planRows(
  ctx: Pick<Ctx, 'db' | 'actor' | 'store' | 'wiring'>,
  fileKey: string,
  use: (group: Planned[], columns: Columns) => Promise<void>,
): Promise<Columns> {
  const members = await listMemberDetails(ctx.db, ctx.actor.projectId)
  const input: Omit<RowsInput, 'fd'> = { members: members.map(({ id, name, email }) => ({ id, name, email })) }
  let columns: Columns
  await readUpload<RowsPortion>(ctx, fileKey, thread, input, async (portions) => {
    for await (const portion of portions) {
      if ('columns' in portion) columns = portion.columns
      else await use(portion.rows, columns)
    }
  })
  return columns!
}

type Action = 'create' | 'skip' | 'refuse'

export function remarksOf({ shownKey, title, problems, refusal }: Planned, action: Action): string[] {
  if (action === 'refuse') return [`It is left out: ${refusal}`]
  return action === 'skip' ? [`It is skipped: ${quoted(shownKey ?? title)} was imported before.`] : problems
}

/** Says what an import would do, and does nothing. */
export async function previewWorkOrders(ctx: Ctx, fileKey: string) {
  const known = await readVocabulary(ctx)
  const newLabels = new Map<string, string>()
  const newPhases = new Map<string, string>()
  const counts = { create: 0, skip: 0, refuse: 0, change: 0 }
  const shown: (Planned & { action: Action })[] = []
  const remarks = collectRemarks()
  const { source, names, fields } = await planRows(ctx, fileKey, async (group, { source }) => {
    const present = await findImported(
      ctx.db,
      ctx.actor.projectId,
      source,
      group.map(({ key }) => key),
    )
    for (const row of group) {
      const action = row.refusal ? 'refuse' : present.has(row.key) ? 'skip' : 'create'
      counts[action]++
      if (shown.length < MOST_SHOWN) shown.push({ ...row, action })
      remarks.add(`line ${row.line}`, ...remarksOf(row, action))
      if (action !== 'create') continue
      if (row.problems.length > 0) counts.change++
      for (const label of row.labels) addNew(newLabels, known.labels, label)
      if (row.phase) addNew(newPhases, known.phases, row.phase)
    }
  })
  return {
    object: 'work_orders_import_preview' as const,
    source,
    columns: names.map((column, place) => ({ column, field: fields[place]! })),
    to_create: counts.create,
    to_skip: counts.skip,
    to_refuse: counts.refuse,
    to_change: counts.change,
    problems: remarks.list(),
    new_labels: [...newLabels.values()],
    new_phases: [...newPhases.values()],
    rows: shown.map((row) => ({
      line: row.line,
      action: row.action,
      key: row.shownKey,
      title: row.title,
      status: row.status,
      priority: row.priority,
      type: row.type,
      assignee: row.assignee?.name ?? null,
      labels: row.labels,
      phase: row.phase,
    })),
  }
}

function addNew(found: Map<string, string>, known: Map<string, string>, title: string): void {
  const name = title.toLowerCase()
  if (found.size < MOST_NEW && !known.has(name) && !found.has(name)) found.set(name, title)
}

/** The labels and phases of the project, by title in lower case. */
export async function readVocabulary({ db, actor }: Pick<Ctx, 'db' | 'actor'>) {
  const [labels, phases] = await Promise.all([listLabels(db, actor.projectId, true), listPhases(db, actor.projectId)])
  return {
    labels: new Map(labels.map(({ id, title }) => [title.toLowerCase(), id])),
    phases: new Map(phases.map(({ id, title }) => [title.toLowerCase(), id])),
  }
}
