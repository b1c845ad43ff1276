import type { Ctx, Tool } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import type { Deed } from './deed.ts'
import { decide, insertDeed } from './deed-queries.ts'
import { difference, snapshot, subjectOf } from './snapshots.ts'

type Fields = Record<string, unknown>

/** Makes a call that changes something, and keeps what was there before and after. Only calls of runs are kept. */
export async function actAndKeep(ctx: Ctx, tool: Tool, input: Fields): Promise<unknown> {
  const runId = ctx.agent?.via?.runId
  if (runId === undefined) return tool.run(ctx, input)
  if (ctx.agent!.proposes) return propose(ctx, tool, input, runId)
  // The tool may change its input.
  const asked = structuredClone(input)
  const { output, ...seen } = await actAndSee(ctx, tool, input)
  await insertDeed(ctx.db, ctx.actor.projectId, {
    id: uuidv7(),
    runId,
    tool: tool.name,
    input: asked,
    status: 'done',
    ...seen,
  })
  return output
}

async function actAndSee(ctx: Ctx, tool: Tool, input: Fields) {
  const known = subjectOf(tool, input)
  const before = known && (await snapshot(ctx, known))
  const output = await tool.run(ctx, input)
  const subject = known ?? subjectOf(tool, input, output)
  const after = subject && (await snapshot(ctx, subject))
  return {
    output,
    resourceType: subject?.type ?? null,
    resourceId: subject?.id ?? null,
    ...difference(before, after),
  }
}

async function propose(ctx: Ctx, tool: Tool, input: Fields, runId: string): Promise<unknown> {
  const subject = subjectOf(tool, input)
  const id = uuidv7()
  await insertDeed(ctx.db, ctx.actor.projectId, {
    id,
    runId,
    tool: tool.name,
    input,
    status: 'proposed',
    resourceType: subject?.type ?? null,
    resourceId: subject?.id ?? null,
    before: null,
    after: null,
  })
  const note =
    'Nothing was changed. A person decides about it later. What it would make has no id yet; go on without it.'
  return { status: 'proposed', proposal_id: id, note }
}

/** Does what was proposed, with the rights of whoever accepts it. */
export async function acceptDeed(ctx: Ctx, deed: Deed): Promise<void> {
  refuseDecided(deed)
  const tool = ctx.wiring.tools.get(deed.tool)
  if (!tool) throw conflict('tool_gone', `The tool "${deed.tool}" no longer exists.`)
  const { output: _output, ...seen } = await actAndSee(ctx, tool, structuredClone(deed.input))
  await decide(ctx.db, ctx.actor.projectId, deed, { ...seen, status: 'accepted', userId: ctx.actor.userId })
}

export async function rejectDeed(ctx: Ctx, deed: Deed): Promise<void> {
  refuseDecided(deed)
  await decide(ctx.db, ctx.actor.projectId, deed, { ...deed, status: 'rejected', userId: ctx.actor.userId })
}

function refuseDecided({ status }: Deed): void {
  if (status !== 'proposed') throw conflict('already_decided', `This is decided already: it is "${status}".`)
}
