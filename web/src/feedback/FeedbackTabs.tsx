import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { countsQuery } from '../lib/counts.ts'
import { IconInbox, IconPlugConnected, IconStack2 } from '../ui/icons.ts'
import { TabFace, Tabs, tabClass } from '../ui/Tabs.tsx'

const SIZE = { size: 16, stroke: 1.75 }

/** The three screens of the module, with how much there is to do. */
export function FeedbackTabs({ open }: { open: 'inbox' | 'themes' | 'connect' }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const counts = useQuery(countsQuery(project.id)).data
  const at = { params: { projectId: project.id }, className: tabClass, activeProps: {} } as const
  const current = (name: typeof open) => (name === open ? 'page' : undefined)
  return (
    <Tabs label="Feedback">
      <Link {...at} to="/p/$projectId/feedback" aria-current={current('inbox')}>
        <TabFace icon={<IconInbox {...SIZE} />} count={counts?.feedback_to_process}>
          Inbox
        </TabFace>
      </Link>
      <Link {...at} to="/p/$projectId/feedback/themes" aria-current={current('themes')}>
        <TabFace icon={<IconStack2 {...SIZE} />} count={counts?.themes_open}>
          Themes
        </TabFace>
      </Link>
      <Link {...at} to="/p/$projectId/feedback/connect" aria-current={current('connect')}>
        <TabFace icon={<IconPlugConnected {...SIZE} />}>Connect</TabFace>
      </Link>
    </Tabs>
  )
}
