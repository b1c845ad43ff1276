import { lastSeen, openEventStream } from '../../../kernel/http/answers/event-stream.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { presentTrigger } from '../automation.ts'
import { presentMay } from '../rows/app-api.ts'
import { decideAll } from '../runs/review.ts'
import { presentRun } from '../runs/run.ts'
import { presentWrite } from '../runs/run-detail.ts'
import { countProjectRuns, type ListedRun, listProjectRuns } from './page-queries.ts'
import { followRun, loadRunOfProject, readActivity, readRunPage, type ShownEvent, type ShownWrite } from './run-page.ts'
import * as schema from './schema.ts'

const tags = ['Automations']

const presentListed = ({ run, automationName, changeCount, proposed, accepted }: ListedRun) => ({
  ...presentRun(run),
  automation_name: automationName,
  change_count: changeCount,
  proposed_count: proposed,
  accepted_count: accepted,
})

const presentShown = ({ deed, thing, decidedBy, changedSince }: ShownWrite) => ({
  ...presentWrite(deed),
  title: thing?.title ?? null,
  number: thing?.number ?? null,
  decider: decidedBy ?? null,
  changed_since: changedSince ?? null,
})

const presentEvent = (event: ShownEvent) => ({
  object: 'automation_run_event' as const,
  number: event.number,
  kind: event.kind,
  text: event.text,
  is_cut: event.isCut,
  tool: event.toolName,
  call_id: event.toolCallId,
  status: event.toolStatus,
  created_at: event.createdAt,
})

/** What the screens of runs show: all runs of the project, and one with everything on its page. */
export function registerRunPageRoutes(face: Face) {
  face.get(
    '/automation_runs',
    operation({
      id: 'listProjectRuns',
      summary: 'List the runs of all automations',
      description: 'Newest first.',
      tags,
      query: schema.RunsQuery,
      answer: schema.RunsPage,
    }),
    async (req) => {
      const { status, automation_id, changed, waiting, min_cost, before, limit } = req.query
      const { db, actor } = req.ctx
      const minCost = min_cost === undefined ? undefined : Number(min_cost)
      const filter = { statuses: status, automationIds: automation_id, changed, isWaiting: waiting, minCost }
      const rows = await listProjectRuns(db, actor.projectId, filter, { before, limit: limit + 1 })
      const items = rows.slice(0, limit)
      return {
        items: items.map(presentListed),
        total: before === undefined ? await countProjectRuns(db, actor.projectId, filter) : null,
        next_before: rows.length > limit ? items.at(-1)!.run.id : null,
      }
    },
  )

  face.get(
    '/automation_runs/:run_id',
    operation({
      id: 'getRunPage',
      summary: 'Read a run with everything that its page shows',
      description: 'Proposals also say whether somebody has changed the same values since.',
      tags,
      params: schema.RunParams,
      answer: schema.RunPageData,
    }),
    async (req) => {
      const { run, automation, progress, writes, retries, may } = await readRunPage(req.ctx, req.params.run_id)
      const trigger = automation.triggers.find(({ id }) => id === run.triggerId)
      const { owner } = automation
      return {
        data: {
          ...presentRun(run),
          text: progress.text,
          progress: { tool_calls: progress.toolCalls, last_tool: progress.lastTool, last_at: progress.lastAt },
          writes: writes.map(presentShown),
          automation: {
            id: automation.id,
            name: automation.name,
            enabled: automation.enabled,
            is_built_in: automation.builtIn !== null,
            owner: owner && { id: owner.id, name: owner.name },
            grants: automation.grants.map(({ displayName }) => displayName),
          },
          trigger: trigger ? presentTrigger(trigger) : null,
          retries: retries.map(({ id, status, createdAt }) => ({ id, status, created_at: createdAt })),
          may: presentMay(may),
          is_own: owner?.id === req.ctx.actor.userId,
        },
      }
    },
  )

  face.get(
    '/automation_runs/:run_id/activity',
    operation({
      id: 'listRunActivity',
      summary: 'Read what the agent of a run said and which tools it called',
      description: 'In order, also while the run goes on. Read on with the `last` of the answer before.',
      tags,
      params: schema.RunParams,
      query: schema.ActivityQuery,
      answer: schema.ActivityData,
    }),
    async (req) => {
      const { events, last, isWhole } = await readActivity(req.ctx, req.params.run_id, req.query.after)
      return {
        items: events.map(presentEvent),
        last,
        is_whole: isWhole,
      }
    },
  )

  face.get(
    '/automation_runs/:run_id/stream',
    operation({
      id: 'streamRunActivity',
      summary: 'Follow a run',
      description: 'Its activity when it is stored, words as they are said. Ends with the run.',
      tags,
      params: schema.RunParams,
      query: schema.ActivityQuery,
      streams: schema.RunStream,
    }),
    async (req, reply) => {
      const { run } = await loadRunOfProject(req.ctx, req.params.run_id)
      const after = lastSeen(req, req.query.after)
      await followRun(req.ctx, run.id, after, openEventStream(req, reply), presentEvent)
    },
  )

  face.post(
    '/automation_runs/:run_id/decisions',
    operation({
      id: 'decideAboutRun',
      summary: 'Accept or reject all that a run proposes and nobody has decided about',
      description:
        'In order. Accepting leaves out what somebody has changed since, what cannot be done, and what needs one of these.',
      tags,
      params: schema.RunParams,
      body: schema.DecisionBody,
      answer: schema.DecisionData,
      refuses: [409],
    }),
    async (req) => {
      const { decided, leftOut } = await decideAll(req.ctx, req.params.run_id, req.body.decision)
      return {
        data: { decided, left_out: leftOut.map(({ id, reason }) => ({ write_id: id, reason })) },
      }
    },
  )
}
