import type { Ctx } from '../../kernel/context.ts'
import { listMemberDetails } from '../../projects/index.ts'
import { listLabels, listPhases } from '../../work-orders/index.ts'
import { unusable } from '../importing/unusable.ts'
import { MOST_PROBLEMS, type Problem } from '../transfer.ts'
import { type Csv, readCsv } from './csv.ts'
import { findImported } from './imported-queries.ts'
import { createPlanner, type Planned } from './plan.ts'

const MOST_SHOWN = 100
const AT_ONCE = 500

/** Groups the rows of a file, so that PostgreSQL is asked about many at once. */
export async function* planRows(ctx: Pick<Ctx, 'db' | 'actor'>, { columns, rows }: Csv): AsyncGenerator<Planned[]> {
  const members = await listMemberDetails(ctx.db, ctx.actor.projectId)
  const plan = createPlanner(columns, members)
  let group: Planned[] = []
  for await (const row of rows) {
    group.push(plan(row))
    if (group.length < AT_ONCE) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

export const problemsOf = ({ line, problems, refusal }: Planned): Problem[] =>
  [...(refusal ? [`It is left out: ${refusal}`] : []), ...problems].map((detail) => ({ where: `line ${line}`, detail }))

export async function openCsv({ store }: Pick<Ctx, 'store'>, key: string): Promise<Csv> {
  const bytes = await store.read(key)
  if (!bytes) throw unusable('The uploaded file is gone. Upload it again.')
  return readCsv(bytes)
}

/** Says what an import would do, and does nothing. */
export async function previewWorkOrders(ctx: Ctx, fileKey: string) {
  const csv = await openCsv(ctx, fileKey)
  const { source, names, fields } = csv.columns
  const known = await readVocabulary(ctx)
  const newLabels = new Map<string, string>()
  const newPhases = new Map<string, string>()
  const counts = { create: 0, skip: 0, refuse: 0 }
  const shown: (Planned & { action: keyof typeof counts })[] = []
  const problems: Problem[] = []
  for await (const group of planRows(ctx, csv)) {
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
      if (action === 'skip') continue
      if (problems.length < MOST_PROBLEMS) problems.push(...problemsOf(row))
      if (action === 'refuse') continue
      for (const label of row.labels)
        if (!known.labels.has(label.toLowerCase())) newLabels.set(label.toLowerCase(), label)
      if (row.phase && !known.phases.has(row.phase.toLowerCase())) newPhases.set(row.phase.toLowerCase(), row.phase)
    }
  }
  return {
    object: 'work_orders_import_preview' as const,
    source,
    columns: names.map((column, place) => ({ column, field: fields[place]! })),
    to_create: counts.create,
    to_skip: counts.skip,
    to_refuse: counts.refuse,
    problems: problems.slice(0, MOST_PROBLEMS),
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

/** The labels and phases of the project, by title in lower case. */
export async function readVocabulary({ db, actor }: Pick<Ctx, 'db' | 'actor'>) {
  const [labels, phases] = await Promise.all([listLabels(db, actor.projectId, true), listPhases(db, actor.projectId)])
  return {
    labels: new Map(labels.map(({ id, title }) => [title.toLowerCase(), id])),
    phases: new Map(phases.map(({ id, title }) => [title.toLowerCase(), id])),
  }
}
