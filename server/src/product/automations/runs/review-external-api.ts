import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { acceptProposal, rejectProposal, type UndoneRun, undoRun } from './review.ts'
import { presentWrite, readDetail } from './run-detail.ts'
import * as shapes from './run-schema.ts'

const tags = ['Automations']

const presentUndone = ({ undone, kept }: UndoneRun) => ({
  object: 'automation_run_undo' as const,
  undone: undone.map(presentWrite),
  kept: kept.map(({ action, resourceType, resourceId, reason }) => ({
    action,
    resource_type: resourceType,
    resource_id: resourceId,
    reason,
  })),
})

/** Routes with which people decide about what a run proposes, and take back what it did. */
export function registerReviewRoutes(face: Face) {
  for (const [verb, decide] of [
    ['accept', acceptProposal],
    ['reject', rejectProposal],
  ] as const)
    face.post(
      `/automations/:automation_id/runs/:run_id/writes/:write_id/${verb}`,
      operation({
        id: `${verb}AutomationRunWrite`,
        summary: verb === 'accept' ? 'Do what a run proposes' : 'Reject what a run proposes',
        description:
          'For the owner of the automation and project admins. It is done with the rights of whoever accepts.',
        tags,
        params: shapes.WriteParams,
        answer: shapes.RunDetailData,
        refuses: [409],
      }),
      async (req) => {
        const { automation_id, run_id, write_id } = req.params as {
          automation_id: string
          run_id: string
          write_id: string
        }
        await decide(req.ctx, automation_id, run_id, write_id)
        return { data: await readDetail(req.ctx, automation_id, run_id) }
      },
    )

  face.post(
    '/automations/:automation_id/runs/:run_id/writes/:write_id/undo',
    operation({
      id: 'undoAutomationRunWrite',
      summary: 'Take back one write of a run',
      description: 'As far as nobody has changed it since. If it stays, `kept` says why.',
      tags,
      params: shapes.WriteParams,
      answer: shapes.UndoData,
      refuses: [409],
    }),
    async (req) => {
      const { automation_id, run_id, write_id } = req.params
      return { data: presentUndone(await undoRun(req.ctx, automation_id, run_id, write_id)) }
    },
  )

  face.post(
    '/automations/:automation_id/runs/:run_id/undo',
    operation({
      id: 'undoAutomationRun',
      summary: 'Take back what a run did',
      description:
        'As far as nobody has changed it since: documents get their version before as a new one, what was created is deleted, what was deleted comes back, values and links are set back. `kept` lists what stays, and why.',
      tags,
      params: shapes.RunParams,
      answer: shapes.UndoData,
      refuses: [409],
    }),
    async (req) => ({ data: presentUndone(await undoRun(req.ctx, req.params.automation_id, req.params.run_id)) }),
  )
}
