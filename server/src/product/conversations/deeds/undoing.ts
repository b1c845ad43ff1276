import type { Ctx, Tool } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import { findPair, loadVersion, restoreVersion, takeBackMessage } from '../../documents/index.ts'
import { takeBackComment } from '../../work-orders/index.ts'
import type { Deed } from './deed.ts'
import { decide } from './deed-queries.ts'
import { restoreDeleted } from './deletions.ts'
import { inverseOf } from './inverse.ts'
import { snapshot } from './snapshots.ts'
import { isUntouched } from './untouched.ts'

type Fields = Record<string, unknown>

export interface Undone {
  deed: Deed
  /** Why it could not be taken back. Null if it was. */
  reason: string | null
}

/**
 * Takes back what can be taken back, the last first. Whoever asks needs the rights for each step, and lets nobody else
 * do so meanwhile. What an undo that broke off has taken back counts as taken back. `onStep` is called before each.
 */
export async function undoDeeds(ctx: Ctx, deeds: Deed[], onStep: () => Promise<void>): Promise<Undone[]> {
  const restored: Restored = new Map()
  const results: Undone[] = []
  for (const deed of [...deeds].reverse()) {
    if (deed.status !== 'done' && deed.status !== 'accepted' && deed.status !== 'begun') continue
    await onStep()
    results.push({ deed, reason: await undoDeed(ctx, deed, restored) })
  }
  return results.reverse()
}

async function undoDeed(ctx: Ctx, deed: Deed, restored: Restored): Promise<string | null> {
  const tool = ctx.wiring.tools.get(deed.tool)
  if (!tool) return 'This tool no longer exists.'
  try {
    if (tool.kind === 'delete' && deed.status !== 'begun') return await restoreDeleted(ctx, deed)
    const reason = await takeBack(ctx, tool, deed, restored)
    if (reason !== null) return reason
    await decide(ctx.db, ctx.actor.projectId, deed, 'undone', ctx.actor.userId)
    return null
  } catch (err) {
    if (err instanceof AppError) return err.message
    throw err
  }
}

/** Documents that were restored just now: the version that they have, and the one whose text it has. */
type Restored = Map<string, { versionId: unknown; as: unknown }>

async function takeBack(ctx: Ctx, tool: Tool, deed: Deed, restored: Restored): Promise<string | null> {
  const { resourceType: type, resourceId: id } = deed
  if (tool.name === 'run_automation') return 'The run that it started has to be undone by itself.'
  if (type === null || id === null) return deed.status === 'begun' ? BROKEN_OFF : 'It is not known what this changed.'
  const now = await snapshot(ctx, { type, id })
  if (deed.status === 'begun') return now && isUntouched(deed.before, now) ? null : BROKEN_OFF
  if (tool.name.startsWith('comment_')) return takeBackSaid(ctx, deed, type, id)
  if (!now) return tool.kind === 'create' ? null : 'It has been deleted since.'
  if (changedNothing(deed)) return null
  const known = restored.get(id)
  const current =
    known && known.versionId === now.version_id ? { ...now, version_id: known.as, version_number: undefined } : now
  if (isIncomplete(deed)) return 'Its text was too long to keep.'
  if (!isUntouched(deed.after, current)) return (await isAsBefore(ctx, deed, now)) ? null : 'It was changed since.'
  if (tool.kind === 'create') {
    const more = await moreThanMade(ctx, deed, now)
    if (more !== null) return more
  }
  if (/^(write|suggest)_/.test(tool.name)) {
    const document = await restoreVersion(ctx, type as never, id, String(deed.before?.version_id))
    restored.set(id, { versionId: document.versionId, as: deed.before?.version_id })
    return null
  }
  const inverse = inverseOf(tool, withLinksOfOthers(deed, now), id)
  if (!inverse) return 'There is no way to take this back.'
  await run(ctx, ...inverse)
  return null
}

const BROKEN_OFF = 'The server stopped in the middle of this, so it is not known how far it came. Look at it yourself.'

const run = (ctx: Ctx, tool: string, input: Fields) => ctx.wiring.tools.get(tool)!.run(ctx, input)

async function takeBackSaid(ctx: Ctx, { after }: Deed, type: string, id: string): Promise<string | null> {
  const { comment_id, markdown_content, thread_id, message_id } = (after ?? {}) as Record<string, string>
  if (comment_id !== undefined) return (await takeBackComment(ctx, id, comment_id, markdown_content!)) ?? null
  if (thread_id === undefined) return 'It is not known which comment this was.'
  return (await takeBackMessage(ctx, type as never, id, thread_id, message_id!)) ?? null
}

/** An undo that broke off may have taken it back already. */
async function isAsBefore(ctx: Ctx, { before, resourceType, resourceId }: Deed, now: Fields): Promise<boolean> {
  if (before === null) return false
  if (before.version_id === undefined) return isUntouched(before, now)
  const { markdownContent } = await loadVersion(ctx, resourceType as never, resourceId!, String(before.version_id))
  return markdownContent === now.markdown_content && isUntouched({ ...before, version_id: now.version_id }, now)
}

type Links = { resourceId: string }[]
const linksOf = (fields: Fields | null) => (fields?.connectedContext ?? []) as Links

/** Takes back only those links that the call added or removed. */
function withLinksOfOthers(deed: Deed, now: Fields): Deed {
  const { before, after } = deed
  if (before?.connectedContext === undefined) return deed
  const without = (links: Links, others: Links) =>
    links.filter(({ resourceId }) => !others.some((one) => one.resourceId === resourceId))
  const [had, has] = [linksOf(before), linksOf(after)]
  const kept = without(linksOf(now), without(has, had))
  return { ...deed, before: { ...before, connectedContext: [...kept, ...without(without(had, has), kept)] } }
}

/** Its inverse would change what was there before. */
const changedNothing = ({ before, after }: Deed) =>
  before !== null && after !== null && Object.keys({ ...before, ...after }).length === 0

/** A value that was too long is left out on its side. */
const isIncomplete = ({ before, after }: Deed) =>
  before !== null && after !== null && Object.keys(after).some((key) => !(key in before))

/** What others have added to something that an agent made. Deleting it would delete that as well. */
async function moreThanMade(ctx: Ctx, { after, resourceType, resourceId: id }: Deed, now: Fields) {
  const own = new Set(linksOf(after).map(({ resourceId }) => resourceId))
  if (linksOf(now).some(({ resourceId }) => !own.has(resourceId))) return 'It was connected to something since.'
  if ((now.children as unknown[] | undefined)?.length) return 'There is something below it by now.'
  const count = async (tool: string, input: Fields) => {
    const { items, total } = (await run(ctx, tool, input)) as { items: unknown[]; total?: number }
    return total ?? items.length
  }
  switch (resourceType) {
    case 'work_order':
      return (await count('list_work_order_comments', { work_order_id: id })) > 0 ? 'It has comments by now.' : null
    case 'requirements_document':
    case 'blueprint': {
      if ((await count(`list_${resourceType}_comments`, { id })) > 0) return 'It has comments by now.'
      const pair = await findPair(ctx.db, ctx.actor.projectId, id!)
      if (!pair) return null
      // A feature is made with an empty blueprint, which would be deleted with it.
      const blueprint = (await run(ctx, 'get_blueprint', { id: pair.id })) as Fields
      const comments = await count('list_blueprint_comments', { id: pair.id })
      const isEmpty = blueprint.markdown_content === '' && linksOf(blueprint).length === 0 && comments === 0
      return isEmpty ? null : 'Its blueprint was changed since.'
    }
    case 'artifact': {
      if (now.type !== 'folder') return null
      const folder_path = [now.folder_path, now.name].filter(Boolean).join('/')
      return (await count('list_artifacts', { folder_path, page: 1 })) > 0 ? 'There is something in it by now.' : null
    }
    case 'automation': {
      if ((await count('list_automation_runs', { automation_id: id })) === 0) return null
      await run(ctx, 'update_automation', { automation_id: id, values: { enabled: false } })
      return 'It has run since, so it stays with its runs. It is switched off now.'
    }
  }
  return null
}
