import type { Ctx } from '../../../kernel/context.ts'
import { forProject } from '../../../kernel/database/index.ts'
import { AppError, quoted } from '../../../kernel/errors.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { BLUEPRINT_KIND, createBlueprint } from '../../blueprints/index.ts'
import { listDocuments } from '../../documents/index.ts'
import { createRequirements, REQUIREMENTS_KIND } from '../../requirements/index.ts'
import { readUpload } from '../reading.ts'
import { collectRemarks } from '../remarks.ts'
import { requesterCtx } from '../requester.ts'
import type { Work, Worked } from '../work.ts'
import type { FolderInput, FolderPortion, ReadLeaf } from './read-folder.ts'

type Kind = 'requirements' | 'blueprints'
const MOST_SHOWN = 500
/** Where new documents go. */
const TREES = { requirements: 'FEATURE', blueprints: 'Custom' }
const MOST_KNOWN = 100_000

const thread = new URL('./folder-thread.js', import.meta.url)

interface Planned {
  leaf: ReadLeaf
  action: 'create' | 'skip' | 'refuse'
  /** The id of what is there already. */
  id: string | undefined
  problem: string | undefined
}

interface Settling {
  withText: boolean
  begin?(total: number): void
  /** Is called for each file. Says what id its document got, or that it got none after all. */
  settle(planned: Planned, parentId: string | null): Promise<{ id: string } | 'refused' | undefined>
}

/**
 * Compares the files with the documents that there are. Each document stands for one file, so a second file with the
 * same title in the same folder is a second document.
 */
async function planDocuments(
  ctx: Ctx,
  fileKey: string,
  kind: Kind,
  { withText, begin, settle }: Settling,
): Promise<void> {
  const known = await readKnown(ctx, kind)
  /** The ids of the leaves; undefined if they are to be created. */
  const ids = new Map<string, string | undefined>()
  const refused = new Set<string>()
  const plan = async (leaf: ReadLeaf) => {
    const parentId = leaf.parent === null ? null : ids.get(leaf.parent)
    const isOrphan = leaf.parent !== null && refused.has(leaf.parent)
    const problem = isOrphan ? 'What it lies in cannot be imported.' : (leaf.refusal ?? undefined)
    const id = parentId === undefined || problem ? undefined : known.get(placeOf(parentId, leaf.title))?.shift()
    const action = problem ? 'refuse' : id ? 'skip' : 'create'
    const settled = await settle({ leaf, action, id, problem }, parentId ?? null)
    if (action === 'refuse' || settled === 'refused') refused.add(leaf.place)
    else ids.set(leaf.place, settled?.id ?? id)
  }
  const input: Omit<FolderInput, 'fd'> = { withText }
  await readUpload<FolderPortion>(ctx, fileKey, thread, input, async (portions) => {
    for await (const portion of portions) {
      if ('total' in portion) begin?.(portion.total)
      else for (const leaf of portion.leaves) await plan(leaf)
    }
  })
}

const placeOf = (parentId: string | null, title: string) => `${parentId ?? ''} ${title}`

async function readKnown({ db, actor }: Ctx, kind: Kind): Promise<Map<string, string[]>> {
  const type = kind === 'requirements' ? REQUIREMENTS_KIND : BLUEPRINT_KIND
  const { rows } = await listDocuments(db, actor.projectId, type, { treeName: TREES[kind] }, MOST_KNOWN, 0)
  const oldestFirst = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const known = new Map<string, string[]>()
  for (const { id, parentId, title } of oldestFirst) {
    const place = placeOf(parentId, title)
    const there = known.get(place)
    if (there) there.push(id)
    else known.set(place, [id])
  }
  return known
}

const whereOf = ({ file, place }: ReadLeaf) => file ?? `${place}/`
const isChanged = ({ action, leaf }: Planned) => action === 'create' && leaf.changes.length > 0

/** A folder that is here already is no file that is left out. */
function remarksOf({ leaf, action, problem }: Planned): string[] {
  if (action === 'create') return leaf.changes
  if (action === 'refuse') return [`It is left out: ${problem}`]
  return leaf.file === undefined ? [] : [`It is skipped: ${quoted(leaf.title)} is here already.`]
}

/** Says what an import would do, and does nothing. */
export async function previewDocuments(ctx: Ctx, fileKey: string, kind: Kind) {
  const shown: { path: string; action: Planned['action']; title: string; depth: number }[] = []
  const counts = { create: 0, skip: 0, refuse: 0, change: 0 }
  const remarks = collectRemarks()
  const settle = async (planned: Planned) => {
    const { leaf, action } = planned
    counts[action]++
    if (isChanged(planned)) counts.change++
    const where = whereOf(leaf)
    if (shown.length < MOST_SHOWN) shown.push({ path: where, action, title: leaf.title, depth: leaf.depth })
    remarks.add(where, ...remarksOf(planned))
    return undefined
  }
  await planDocuments(ctx, fileKey, kind, { withText: false, settle })
  return {
    object: 'documents_import_preview' as const,
    to_create: counts.create,
    to_skip: counts.skip,
    to_refuse: counts.refuse,
    to_change: counts.change,
    problems: remarks.list(),
    documents: shown,
  }
}

/** Creates one document after the other. What stops in the middle goes on there, because what is there is skipped. */
export async function importDocuments(deps: JobDeps, work: Work): Promise<Worked> {
  const { transfer, progress } = work
  const ctx = await requesterCtx({ ...deps, db: forProject(deps.db, work.projectId) }, work)
  const kind = transfer.options.kind as Kind
  const remarks = collectRemarks()
  const counts = { created: 0, skipped: 0, refused: 0, changed: 0 }
  progress.counts = counts
  const create = ({ leaf }: Planned, parentId: string | null) => {
    const written = { title: leaf.title, markdownContent: leaf.text, parentId }
    // Documents are written one after the other, each under a name of its own.
    const own = { ...ctx, requestId: `${work.id}-${leaf.place}`.slice(0, 200) }
    return kind === 'requirements'
      ? createRequirements(own, { ...written, documentType: TREES.requirements })
      : createBlueprint(own, { ...written, categoryId: null })
  }
  const settle = async (planned: Planned, parentId: string | null) => {
    work.check()
    progress.done++
    const where = whereOf(planned.leaf)
    // What is newer than the import was made by it, before a stop.
    const isOwn = planned.id !== undefined && planned.id > work.id
    if (isChanged({ ...planned, action: isOwn ? 'create' : planned.action })) counts.changed++
    if (planned.action !== 'create') {
      counts[isOwn ? 'created' : planned.action === 'skip' ? 'skipped' : 'refused']++
      remarks.add(where, ...remarksOf(isOwn ? { ...planned, action: 'create' } : planned))
      return undefined
    }
    try {
      const { id } = await create(planned, parentId)
      counts.created++
      remarks.add(where, ...remarksOf(planned))
      return { id }
    } catch (err) {
      if (!(err instanceof AppError) || (err.status >= 500 && err.code !== 'timeout')) throw err
      counts.refused++
      if (isChanged(planned)) counts.changed--
      remarks.add(where, ...remarksOf({ ...planned, action: 'refuse', problem: err.message }))
      return 'refused'
    }
  }
  const begin = (total: number) => {
    progress.total = total
  }
  await planDocuments(ctx, transfer.fileKey!, kind, { withText: true, begin, settle })
  return { problems: remarks.list() }
}
