import { useRouteContext } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { TopBar } from '../../ui/TopBar.tsx'
import { Toolbar } from '../../ui/toolbar/Toolbar.tsx'
import { FeedbackTabs } from '../FeedbackTabs.tsx'

export function InboxPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  usePageTitle(`Feedback · ${project.name}`)
  return (
    <>
      <TopBar
        path={
          <>
            {project.name} / <strong>Feedback</strong>
          </>
        }
        title="Feedback"
      />
      <h1 className="sr-only">Feedback</h1>
      <Toolbar>
        <FeedbackTabs open="inbox" />
      </Toolbar>
    </>
  )
}
