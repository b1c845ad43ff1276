import type { Ctx, Tool } from '../../../kernel/context.ts'
import { AppError, conflict } from '../../../kernel/errors.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { isOffered, type ToolKit } from '../tool-kit.ts'
import type { Deed, Seen } from './deed.ts'
import { decide, deleteDeed, endDeed, insertDeed, listDeeds } from './deed-queries.ts'
import { deleteAndKeep } from './deletions.ts'
import { dependentsOf, referredIn, resolved } from './references.ts'
import { commentMade, difference, proposedDifference, snapshot, subjectOf } from './snapshots.ts'
import { isStale } from './untouched.ts'

type Fields = Record<string, unknown>

/** What its writes are kept under: its run, or the conversation whose agent asks first. */
const keptUnder = ({ agent }: Ctx) => agent?.via?.runId ?? (agent?.proposes ? agent.chainId : undefined)

/**
 * Makes a call that changes something, and keeps what was there before and after. Only calls of runs, and proposals in
 * conversations, are kept.
 */
export async function actAndKeep(ctx: Ctx, tool: Tool, input: Fields): Promise<unknown> {
  const runId = keptUnder(ctx)
  if (runId === undefined) return tool.run(ctx, input)
  if (ctx.agent!.proposes) return propose(ctx, tool, input, runId)
  const { projectId } = ctx.actor
  const subject = subjectOf(tool, input)
  const before = subject && (await snapshot(ctx, subject))
  const id = uuidv7()
  // Written first: if the server stops in the middle, a person sees that something may have been done.
  await insertDeed(ctx.db, projectId, {
    id,
    runId,
    tool: tool.name,
    input: structuredClone(input),
    status: 'begun',
    resourceType: subject?.type ?? null,
    resourceId: subject?.id ?? null,
    before: difference(before, undefined).before,
    after: null,
    dependsOn: [],
  })
  try {
    return await act(ctx, tool, input, id, 'done')
  } catch (err) {
    if (err instanceof AppError) await deleteDeed(ctx.db, projectId, id)
    throw err
  }
}

/** Makes the call and notes how it ended. */
async function act(ctx: Ctx, tool: Tool, input: Fields, id: string, status: Deed['status']): Promise<unknown> {
  if (tool.kind === 'delete') return deleteAndKeep(ctx, tool, input, id, status)
  const { output, ...seen } = await actAndSee(ctx, tool, input)
  await endDeed(ctx.db, ctx.actor.projectId, id, status, seen)
  return output
}

async function actAndSee(ctx: Ctx, tool: Tool, input: Fields): Promise<Seen & { output: unknown }> {
  const known = subjectOf(tool, input)
  const before = known && (await snapshot(ctx, known))
  const output = await tool.run(ctx, input)
  const subject = known ?? subjectOf(tool, input, output)
  const after = subject && (await snapshot(ctx, subject))
  const about = { output, resourceType: subject?.type ?? null, resourceId: subject?.id ?? null }
  const comment = commentMade(tool, output)
  return comment ? { ...about, before: null, after: comment } : { ...about, ...difference(before, after) }
}

async function propose(ctx: Ctx, tool: Tool, input: Fields, runId: string): Promise<unknown> {
  const { projectId } = ctx.actor
  const dependsOn = referredIn(input, await listDeeds(ctx.db, projectId, runId))
  const subject = subjectOf(tool, input)
  const isProposed = subject !== undefined && dependsOn.includes(subject.id.toLowerCase())
  const now = subject && !isProposed ? await snapshot(ctx, subject) : undefined
  const id = uuidv7()
  await insertDeed(ctx.db, projectId, {
    id,
    runId,
    tool: tool.name,
    input,
    status: 'proposed',
    resourceType: subject?.type ?? null,
    resourceId: isProposed ? null : (subject?.id ?? null),
    ...proposedDifference(tool, now, input),
    dependsOn,
  })
  const note =
    tool.kind === 'create'
      ? 'Nothing was made yet: a person decides about it later. Where a later call needs the id of what this makes, give "id".'
      : 'Nothing was changed. A person decides about it later.'
  return { status: 'proposed', proposal_id: id, ...(tool.kind === 'create' && { id }), note }
}

/** What a view tool answers about something that is only proposed. Undefined if it is about something else. */
export async function findProposed(ctx: Ctx, input: Fields): Promise<unknown> {
  const runId = keptUnder(ctx)
  if (runId === undefined || !ctx.agent!.proposes) return undefined
  const proposals = (await listDeeds(ctx.db, ctx.actor.projectId, runId)).filter(({ status }) => status === 'proposed')
  const [id] = referredIn(input, proposals)
  if (id === undefined) return undefined
  const { tool, input: proposed } = proposals.find((one) => one.id === id)!
  return { status: 'proposed', id, proposed_by: tool, input: proposed, note: 'It does not exist yet.' }
}

/** Does what was proposed, with the rights of whoever accepts it. The caller lets nobody else decide meanwhile. */
export async function acceptDeed(ctx: Ctx, deed: Deed, all: Deed[]): Promise<void> {
  const { projectId, userId } = ctx.actor
  refuseDecided(deed)
  const tool = ctx.wiring.tools.get(deed.tool)
  if (!tool) throw conflict('tool_gone', `The tool "${deed.tool}" no longer exists.`)
  if (!isOffered(tool, (ctx.agent?.toolKit ?? {}) as ToolKit))
    throw conflict(
      'beyond_kit',
      `The automation may no longer use "${deed.tool}". Reject this, or change its permissions.`,
    )
  const bases = all.filter(({ id }) => deed.dependsOn.includes(id))
  const missing = bases.find(({ status, resourceId }) => status !== 'accepted' || resourceId === null)
  if (missing)
    throw conflict(
      'base_not_accepted',
      `This needs what another proposal makes, which is "${missing.status}": ${titleOf(missing)}. Accept that one first.`,
      { write_id: missing.id },
    )
  if (deed.status === 'proposed' && (await isStale(ctx, deed, all)))
    throw conflict(
      'changed_since',
      'This was changed since it was proposed, so to accept it would undo that. Reject it, or run the automation again.',
    )
  // As with any write of an agent, what was begun shows if the server stops in the middle.
  if (!(await decide(ctx.db, projectId, deed, 'begun', userId))) throw alreadyDecided('begun')
  try {
    await act(ctx, tool, resolved(deed.input, bases), deed.id, 'accepted')
  } catch (err) {
    await decide(ctx.db, projectId, { ...deed, status: 'begun' }, 'proposed', null)
    throw err
  }
}

/** Rejects it, and what refers to what it would have made. */
export async function rejectDeed(ctx: Ctx, deed: Deed, all: Deed[]): Promise<void> {
  const { projectId, userId } = ctx.actor
  refuseDecided(deed)
  await decide(ctx.db, projectId, deed, 'rejected', userId)
  const reason = `It needs what another proposal would have made, which was rejected: ${titleOf(deed)}.`
  for (const one of dependentsOf(deed, all)) await decide(ctx.db, projectId, one, 'rejected', userId, reason)
}

const titleOf = ({ tool, input }: Deed) => {
  const title = input.title ?? input.name
  return typeof title === 'string' ? `${tool} "${title}"` : tool
}

/** One that was begun and has no end can be decided again: a person has looked how far it came. */
function refuseDecided({ status }: Deed): void {
  if (status !== 'proposed' && status !== 'begun') throw alreadyDecided(status)
}

const alreadyDecided = (status: string) => conflict('already_decided', `This is decided already: it is "${status}".`)
