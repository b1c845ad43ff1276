import { useNavigate } from '@tanstack/react-router'
import { askAbout } from '../../lib/ask-about.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { IconCopy, IconLink, IconMessages, IconTrash } from '../../ui/icons.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { askToDelete, copyLinks } from '../batch/row-actions.ts'
import { copyForAgent } from '../copy-for-agent.ts'
import { codeOf, type WorkOrder } from '../work-order.ts'

/** What can be done with the open work order, besides changing its values. */
export function PageMenu({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const size = { size: 16, stroke: 1.75 }
  const run = async (value: string) => {
    if (value === 'link') copyLinks(projectId, [workOrder])
    else if (value === 'ask')
      askAbout(projectId, {
        name: `${codeOf(workOrder)} ${workOrder.title}`,
        href: `/p/${projectId}/work-orders/${workOrder.work_order_number}`,
      })
    else if (value === 'copy') void copyForAgent(projectId, [workOrder])
    else if (await askToDelete(projectId, [workOrder]))
      await navigate({ to: '/p/$projectId/work-orders', params: { projectId }, replace: true })
  }
  return (
    <MoreMenu
      label={`More about ${codeOf(workOrder)}`}
      onPick={(value) => void run(value)}
      options={[
        ...(mayWrite ? [{ value: 'ask', label: 'Ask about this', icon: <IconMessages {...size} /> }] : []),
        { value: 'copy', label: 'Copy for agent', icon: <IconCopy {...size} /> },
        { value: 'link', label: 'Copy link', icon: <IconLink {...size} /> },
        ...(mayWrite
          ? [{ value: 'delete', label: 'Delete…', icon: <IconTrash {...size} />, divided: true, danger: true }]
          : []),
      ]}
    />
  )
}
