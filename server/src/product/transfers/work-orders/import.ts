import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { forProject, inTransaction, sendTogether } from '../../../kernel/database/index.ts'
import { recordEvents } from '../../../kernel/events.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { addContext, lockLinks } from '../../links/index.ts'
import {
  addLabel,
  addPhase,
  createWorkOrders,
  LABEL_COLORS,
  toDescription,
  workOrderEvents,
} from '../../work-orders/index.ts'
import { collectRemarks } from '../remarks.ts'
import { requesterCtx } from '../requester.ts'
import type { Work, Worked } from '../work.ts'
import type { Source } from './columns.ts'
import { findImported, insertImported } from './imported-queries.ts'
import type { Planned } from './plan.ts'
import { planRows, readVocabulary, remarksOf } from './preview.ts'

const NAMES: Record<Source, string> = { jira: 'Jira', linear: 'Linear', slipway: 'Slipway', csv: 'a file' }
const COUNTED = { create: 'created', skip: 'skipped', refuse: 'refused' } as const
const LINKS_AT_ONCE = 200

/** Creates what was not imported before, a group at a time. What stops in the middle goes on there. */
export async function importWorkOrders(deps: JobDeps, work: Work): Promise<Worked> {
  const ctx = await requesterCtx({ ...deps, db: forProject(deps.db, work.projectId) }, work)
  const { progress } = work
  const remarks = collectRemarks()
  const parents: { key: string; parent: string }[] = []
  const aliases = new Map<string, string>()
  progress.counts = { created: 0, skipped: 0, refused: 0, changed: 0 }
  const count = (what: string, by: number) => {
    progress.counts[what] = (progress.counts[what] ?? 0) + by
  }
  const { source } = await planRows(ctx, work.transfer.fileKey!, async (group, { source }) => {
    work.check()
    const good = group.filter(({ refusal }) => refusal === null)
    const { created, present, faults } = await createGroup(ctx, source, good)
    for (const row of group) {
      const refusal = row.refusal ?? faults.get(row.key) ?? null
      // What is newer than the import was made by it, before a stop.
      const isCreated = created.has(row.key) || (present.get(row.key) ?? '') > work.id
      const action = refusal !== null ? 'refuse' : isCreated ? 'create' : 'skip'
      if (row.alias) aliases.set(row.alias, row.key)
      if (row.parent && action === 'create') parents.push({ key: row.key, parent: row.parent })
      count(COUNTED[action], 1)
      if (action === 'create' && row.problems.length > 0) count('changed', 1)
      remarks.add(`line ${row.line}`, ...remarksOf({ ...row, refusal }, action))
    }
    progress.done += group.length
  })
  for (let first = 0; first < parents.length; first += LINKS_AT_ONCE) {
    const some = parents.slice(first, first + LINKS_AT_ONCE)
    const named = some.map(({ key, parent }) => ({ key, parent: aliases.get(parent) ?? parent }))
    count('links', await connectParents(ctx, source, named))
  }
  progress.total = progress.done
  return { problems: remarks.list() }
}

interface Group {
  /** The keys of those that are new. */
  created: Set<string>
  /** What the others became before. */
  present: Map<string, string>
  /** Why nothing became of some. */
  faults: Map<string, string>
}

function createGroup(ctx: Ctx, source: Source, rows: Planned[]): Promise<Group> {
  // Reading a long text takes a while, which must not happen in the transaction.
  const described = new Map(rows.map((row) => [row.key, toDescription(descriptionOf(row, source))]))
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const present = await findImported(
      ctx.db,
      projectId,
      source,
      rows.map(({ key }) => key),
    )
    const fresh = rows.filter(({ key }) => !present.has(key))
    if (fresh.length === 0) return { created: new Set(), present, faults: new Map() }
    const { labels, phases } = await completeVocabulary(ctx, fresh)
    const outcomes = await createWorkOrders(
      ctx,
      fresh.map((row) => ({
        title: row.title,
        description: described.get(row.key)!,
        status: row.status,
        priority: row.priority,
        type: row.type,
        ...(row.assignee && { assignee: { id: row.assignee.id } }),
        ...(row.phase && { phase: { id: phases.get(row.phase.toLowerCase())! } }),
        labelIds: row.labels.map((label) => labels.get(label.toLowerCase())!),
      })),
    )
    const created = outcomes.flatMap(({ workOrder }, index) =>
      workOrder ? [{ key: fresh[index]!.key, id: workOrder.id }] : [],
    )
    await insertImported(ctx.db, projectId, source, created)
    const faults = outcomes.flatMap(({ workOrder, fault }, index): [string, string][] =>
      workOrder ? [] : [[fresh[index]!.key, fault ?? 'It was refused.']],
    )
    return { created: new Set(created.map(({ key }) => key)), present, faults: new Map(faults) }
  })
}

/** Says where it came from, so that the search finds it under its old name. */
function descriptionOf({ description, shownKey }: Planned, source: Source): string {
  const origin = shownKey ? `Imported from ${NAMES[source]}: ${shownKey.replaceAll(/[^\p{L}\p{N}#._-]+/gu, ' ')}\n` : ''
  return description === '' ? origin : `${description}\n${origin && `\n${origin}`}`
}

async function completeVocabulary(ctx: TxCtx, rows: Planned[]) {
  const known = await readVocabulary(ctx)
  for (const { labels, phase } of rows) {
    for (const title of labels) {
      if (known.labels.has(title.toLowerCase())) continue
      const color = LABEL_COLORS[known.labels.size % LABEL_COLORS.length]!
      known.labels.set(title.toLowerCase(), (await addLabel(ctx, { title, color })).id)
    }
    if (phase && !known.phases.has(phase.toLowerCase()))
      known.phases.set(phase.toLowerCase(), (await addPhase(ctx, { title: phase })).id)
  }
  return known
}

/** Work orders have no parents, so a child is connected to what was its parent. Returns how many links are new. */
function connectParents(ctx: Ctx, source: Source, pairs: { key: string; parent: string }[]): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    await lockLinks(ctx.db, projectId)
    const ids = await findImported(
      ctx.db,
      projectId,
      source,
      pairs.flatMap(({ key, parent }) => [key, parent]),
    )
    const owners = pairs.flatMap(({ key, parent }) => {
      const [id, other] = [ids.get(key), ids.get(parent)]
      const links = [{ resourceType: 'work_order' as const, resourceId: other! }]
      return id && other && id !== other ? [{ type: 'work_order' as const, id, links }] : []
    })
    await sendTogether(addContext(ctx.db, projectId, owners))
    await recordEvents(
      ctx,
      owners.map(({ id }) => workOrderEvents.updated(id, { fields: ['connectedContext'] })),
    )
    return owners.length
  })
}
