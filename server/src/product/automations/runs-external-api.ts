import { operation } from '../../kernel/http/operation.ts'
import { answerPage, offsetOf } from '../../kernel/http/paging.ts'
import type { Face } from '../../kernel/http/request.ts'
import { countBacklog, sortBacklog } from './runs/backlog.ts'
import { stopChain } from './runs/chains.ts'
import { registerReviewRoutes } from './runs/review-external-api.ts'
import { presentRun } from './runs/run.ts'
import { readDetail } from './runs/run-detail.ts'
import * as shapes from './runs/run-schema.ts'
import { cancelRun, listAutomationRuns, retryRun, startRun } from './runs/runs.ts'
import { AutomationParams } from './schema.ts'
import { recordCodePush } from './starting/code-pushes.ts'

const tags = ['Automations']

const presentBacklog = (count: number) => ({ object: 'feedback_backlog' as const, feedback_count: count })

export function registerRunRoutes(face: Face) {
  face.get(
    '/automations/:automation_id/runs',
    operation({
      id: 'listAutomationRuns',
      summary: 'List the runs of an automation',
      description: 'Newest first.',
      tags,
      params: AutomationParams,
      query: shapes.RunQuery,
      answer: shapes.RunPage,
    }),
    async (req, reply) => {
      const { status, page_size } = req.query
      const { automation_id } = req.params
      const { rows, total } = await listAutomationRuns(req.ctx, automation_id, status, page_size, offsetOf(req.query))
      return answerPage(req, reply, { rows: rows.map(presentRun), total })
    },
  )

  face.post(
    '/automations/:automation_id/runs',
    operation({
      id: 'startAutomationRun',
      summary: 'Start an automation by hand',
      description: 'Only its owner or a Super Admin; a built-in one any project admin. The run waits for a free place.',
      tags,
      params: AutomationParams,
      body: shapes.NewRunBody,
      answers: { 201: shapes.RunData },
      optionalBody: true,
      refuses: [409],
    }),
    async (req, reply) => {
      const { subject, input, dry_run } = req.body
      const manual = { about: subject ?? undefined, input: input ?? null, proposes: dry_run ?? false }
      const run = await startRun(req.ctx, req.params.automation_id, manual)
      reply.code(201)
      return { data: presentRun(run) }
    },
  )

  face.get(
    '/automations/:automation_id/backlog',
    operation({
      id: 'getTriageBacklog',
      summary: 'Count the feedback that Feedback triage has not sorted',
      description: 'Reports that came before it was switched on, and that nobody has sorted.',
      tags,
      params: AutomationParams,
      answer: shapes.BacklogData,
      refuses: [409],
    }),
    async (req) => ({ data: presentBacklog(await countBacklog(req.ctx, req.params.automation_id)) }),
  )

  face.post(
    '/automations/:automation_id/backlog',
    operation({
      id: 'sortTriageBacklog',
      summary: 'Sort the feedback that Feedback triage has not sorted',
      description: 'Starts runs for all of it, the oldest first, ten reports each. Any project admin.',
      tags,
      params: AutomationParams,
      answers: { 202: shapes.BacklogData },
      optionalBody: true,
      refuses: [409],
    }),
    async (req, reply) => {
      const count = await sortBacklog(req.ctx, req.params.automation_id)
      reply.code(202)
      return { data: presentBacklog(count) }
    },
  )

  face.get(
    '/automations/:automation_id/runs/:run_id',
    operation({
      id: 'getAutomationRun',
      summary: 'Read a run',
      tags,
      description: 'With what it said last, how far it is, and each write with what was there before and after.',
      params: shapes.RunParams,
      answer: shapes.RunDetailData,
    }),
    async (req) => ({ data: await readDetail(req.ctx, req.params.automation_id, req.params.run_id) }),
  )

  registerReviewRoutes(face)

  face.post(
    '/automations/:automation_id/runs/:run_id/cancel',
    operation({
      id: 'cancelAutomationRun',
      summary: 'Cancel a run',
      description: 'One that waits never begins; one that runs is told to stop. Also for project admins.',
      tags,
      params: shapes.RunParams,
      answer: shapes.RunData,
      refuses: [409],
    }),
    async (req) => ({ data: presentRun(await cancelRun(req.ctx, req.params.automation_id, req.params.run_id)) }),
  )

  face.post(
    '/automations/:automation_id/runs/:run_id/stop_chain',
    operation({
      id: 'stopAutomationChain',
      summary: 'Stop everything that led to a run and that it led to',
      description:
        'Cancels the runs with the same `chain_id`, switches off the automations that its agents made, and lets nothing of it start again. Also for project admins.',
      tags,
      params: shapes.RunParams,
      answer: shapes.RunData,
      refuses: [409],
    }),
    async (req) => ({ data: presentRun(await stopChain(req.ctx, req.params.automation_id, req.params.run_id)) }),
  )

  face.post(
    '/automations/:automation_id/runs/:run_id/retry',
    operation({
      id: 'retryAutomationRun',
      summary: 'Do a failed or cancelled run again',
      tags,
      params: shapes.RunParams,
      answers: { 201: shapes.RunData },
      refuses: [409],
    }),
    async (req, reply) => {
      const run = await retryRun(req.ctx, req.params.automation_id, req.params.run_id)
      reply.code(201)
      return { data: presentRun(run) }
    },
  )

  face.post(
    '/code_pushes',
    operation({
      id: 'recordCodePush',
      summary: 'Tell of a push to a code repository',
      description:
        'Starts the automations with a `code_push` trigger. For a step of the build, or a hook of the repository.',
      tags,
      body: shapes.CodePushBody,
      answers: { 201: shapes.CodePushData },
    }),
    async (req, reply) => {
      const { repository, ref, commit_id, pushed_by: pushedBy, commits } = req.body
      const { id } = await recordCodePush(req.ctx, { repository, ref, commitId: commit_id, pushedBy, commits })
      reply.code(201)
      return { data: { object: 'code_push' as const, id, repository, ref, commit_id } }
    },
  )
}
