import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { TopBar } from '../../ui/TopBar.tsx'
import { Toolbar } from '../../ui/toolbar/Toolbar.tsx'
import { themesQuery } from '../api.ts'
import { FeedbackTabs } from '../FeedbackTabs.tsx'

export function ThemesPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const themes = useQuery(themesQuery(project.id)).data ?? []
  usePageTitle(`Themes · ${project.name}`)
  return (
    <>
      <TopBar path={<strong>Themes</strong>} title="Themes" />
      <h1 className="sr-only">Themes</h1>
      <Toolbar>
        <FeedbackTabs open="themes" />
      </Toolbar>
      <ul>
        {themes.map(({ id, display_id, title }) => (
          <li key={id}>
            <Link
              to="/p/$projectId/feedback/themes/$number"
              params={{ projectId: project.id, number: display_id.slice(3) }}
            >
              {display_id} {title}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
