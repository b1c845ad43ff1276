import { useRouteContext } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconPlugConnected } from '../../ui/icons.ts'
import { TopBar } from '../../ui/TopBar.tsx'
import { Toolbar } from '../../ui/toolbar/Toolbar.tsx'
import { FeedbackTabs } from '../FeedbackTabs.tsx'

export function ConnectPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  usePageTitle(`Connect · ${project.name}`)
  return (
    <>
      <TopBar path={<strong>Connect</strong>} title="Connect" />
      <h1 className="sr-only">Connect</h1>
      <Toolbar>
        <FeedbackTabs open="connect" />
      </Toolbar>
      <EmptyState icon={<IconPlugConnected size={22} stroke={1.75} />} title="Collect feedback from your product">
        A reporting key lets your website or app send what people say.
      </EmptyState>
    </>
  )
}
