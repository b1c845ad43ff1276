import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BLUEPRINT_KIND, createBlueprint } from '../../blueprints/index.ts'
import { listDocuments } from '../../documents/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { forProject } from '../../kernel/database/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { createRequirements, REQUIREMENTS_KIND } from '../../requirements/index.ts'
import { withArchive } from '../importing/project.ts'
import { requesterCtx } from '../requester.ts'
import { MOST_PROBLEMS, type Problem } from '../transfer.ts'
import type { Work, Worked } from '../work.ts'
import { type Leaf, leavesOf, type Read, readLeaf } from './folder.ts'

type Kind = 'requirements' | 'blueprints'
const MOST_SHOWN = 500
/** Where new documents go. */
const TREES = { requirements: 'FEATURE', blueprints: 'Custom' }
const MOST_KNOWN = 100_000

interface Planned {
  leaf: Leaf
  read: Read
  action: 'create' | 'skip' | 'refuse'
  /** The id of what is there already. */
  id: string | undefined
  problem: string | undefined
}

/** Compares the files with the documents that there are. Calls `settle` for each, which may say what id it got. */
async function planDocuments(
  ctx: Ctx,
  fileKey: string,
  kind: Kind,
  settle: (planned: Planned, parentId: string | null) => Promise<string | undefined>,
  begin: (total: number) => void = () => undefined,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'slipway-import-'))
  try {
    await withArchive(ctx.store, fileKey, folder, async (archive) => {
      const leaves = leavesOf(archive)
      begin(leaves.length)
      const known = await readKnown(ctx, kind)
      /** The ids of the leaves; undefined if they are to be created. */
      const ids = new Map<string, string | undefined>()
      const refused = new Set<string>()
      for (const leaf of leaves) {
        const parentId = leaf.parent === null ? null : ids.get(leaf.parent)
        const read = await readLeaf(archive, leaf)
        const isOrphan = leaf.parent !== null && refused.has(leaf.parent)
        const problem = isOrphan ? 'What it lies in cannot be imported.' : (read.refusal ?? undefined)
        const id = parentId === undefined ? undefined : known.get(placeOf(parentId, read.title))
        const action = problem ? 'refuse' : id ? 'skip' : 'create'
        const settled = await settle({ leaf, read, action, id, problem }, parentId ?? null)
        ids.set(leaf.place, settled ?? id)
        if (action === 'refuse') refused.add(leaf.place)
        // Two files with the same title in one folder are one document.
        if (settled && parentId !== undefined) known.set(placeOf(parentId, read.title), settled)
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const placeOf = (parentId: string | null, title: string) => `${parentId ?? ''} ${title}`

async function readKnown({ db, actor }: Ctx, kind: Kind): Promise<Map<string, string>> {
  const type = kind === 'requirements' ? REQUIREMENTS_KIND : BLUEPRINT_KIND
  const { rows } = await listDocuments(db, actor.projectId, type, { treeName: TREES[kind] }, MOST_KNOWN, 0)
  return new Map(rows.map(({ id, parentId, title }) => [placeOf(parentId, title), id]))
}

/** Says what an import would do, and does nothing. */
export async function previewDocuments(ctx: Ctx, fileKey: string, kind: Kind) {
  const shown: { path: string; action: Planned['action']; title: string; depth: number }[] = []
  const counts = { create: 0, skip: 0, refuse: 0 }
  const problems: Problem[] = []
  await planDocuments(ctx, fileKey, kind, async ({ leaf, read, action, problem }) => {
    counts[action]++
    const where = leaf.file ?? `${leaf.place}/`
    if (shown.length < MOST_SHOWN) shown.push({ path: where, action, title: read.title, depth: leaf.depth })
    if (problem && problems.length < MOST_PROBLEMS) problems.push({ where, detail: problem })
    return undefined
  })
  return {
    object: 'documents_import_preview' as const,
    to_create: counts.create,
    to_skip: counts.skip,
    to_refuse: counts.refuse,
    problems,
    documents: shown,
  }
}

/** Creates one document after the other. What stops in the middle goes on there, because what is there is skipped. */
export async function importDocuments(deps: JobDeps, work: Work): Promise<Worked> {
  const { transfer, progress } = work
  const ctx = await requesterCtx({ ...deps, db: forProject(deps.db, work.projectId) }, work)
  const kind = transfer.options.kind as Kind
  const problems: Problem[] = []
  const counts = { created: 0, skipped: 0, refused: 0 }
  progress.counts = counts
  const create = ({ leaf, read }: Planned, parentId: string | null) => {
    const written = { title: read.title, markdownContent: read.text, parentId }
    // Documents are written one after the other, each under a name of its own.
    const own = { ...ctx, requestId: `${work.id}-${leaf.place}`.slice(0, 200) }
    return kind === 'requirements'
      ? createRequirements(own, { ...written, documentType: TREES.requirements })
      : createBlueprint(own, { ...written, categoryId: null })
  }
  const refuse = (leaf: Leaf, detail: string) => {
    counts.refused++
    if (problems.length < MOST_PROBLEMS) problems.push({ where: leaf.file ?? leaf.place, detail })
  }
  await planDocuments(
    ctx,
    transfer.fileKey!,
    kind,
    async (planned, parentId) => {
      work.check()
      progress.done++
      if (planned.action === 'refuse') refuse(planned.leaf, planned.problem!)
      if (planned.action === 'skip') counts.skipped++
      if (planned.action !== 'create') return undefined
      try {
        const { id } = await create(planned, parentId)
        counts.created++
        return id
      } catch (err) {
        if (!(err instanceof AppError) || err.status >= 500) throw err
        refuse(planned.leaf, err.message)
        return undefined
      }
    },
    (total) => {
      progress.total = total
    },
  )
  return { problems }
}
