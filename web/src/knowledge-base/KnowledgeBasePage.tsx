import { useQuery } from '@tanstack/react-query'
import { useParams, useRouteContext } from '@tanstack/react-router'
import { TopBar } from '../ui/TopBar.tsx'
import { foldersQuery } from './api.ts'
import { FilePage } from './detail/FilePage.tsx'
import { FolderPage } from './list/FolderPage.tsx'
import { Path } from './Path.tsx'

export function RootPage() {
  return <FolderPage folder={undefined} />
}

/** A folder shows what lies in it, everything else itself. */
export function ArtifactPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { artifactId } = useParams({ from: '/signed-in/p/$projectId/knowledge-base/$artifactId' })
  const { data, error } = useQuery(foldersQuery(project.id))
  if (error && !data) throw error
  if (!data) return <TopBar path={<Path folderId={undefined} />} />
  const folder = data.folders.find(({ id }) => id === artifactId)
  return folder ? <FolderPage key={folder.id} folder={folder} /> : <FilePage key={artifactId} id={artifactId} />
}
