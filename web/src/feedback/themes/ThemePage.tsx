import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { TopBar } from '../../ui/TopBar.tsx'
import { themesQuery } from '../api.ts'

export function ThemePage() {
  const { projectId, number } = useParams({ from: '/signed-in/p/$projectId/feedback/themes/$number' })
  const theme = useQuery(themesQuery(projectId)).data?.find(({ display_id }) => display_id === `TH-${number}`)
  usePageTitle(theme?.title ?? `TH-${number}`)
  return (
    <>
      <TopBar path={<strong>TH-{number}</strong>} />
      <h1>{theme?.title}</h1>
    </>
  )
}
