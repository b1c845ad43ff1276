import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router'
import css from '../../history/History.module.css'
import { History } from '../../history/History.tsx'
import { usePageTitle } from '../../lib/page-title.ts'
import { historyQuery, rowQuery, versionQuery } from '../api.ts'
import { restoreVersion } from '../versions.ts'

/** The versions of a document. */
export function HistoryPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { id: projectId } = project
  const id = useParams({ strict: false }).artifactId!
  const chosen = useSearch({ from: '/signed-in/p/$projectId/knowledge-base/$artifactId/history' })
  const navigate = useNavigate()
  const { data: row } = useQuery(rowQuery(projectId, id))
  const { data: versions, error } = useQuery(historyQuery(projectId, id))
  usePageTitle(row && `History of ${row.name} · ${project.name}`)
  if (error && !versions) throw error
  const params = { projectId, artifactId: id }
  return (
    <History
      of={{
        title: row?.name,
        path: (
          <>
            <span className={css.wide}>Knowledge Base / </span>
            {row && (
              <>
                <Link to="/p/$projectId/knowledge-base/$artifactId" params={params}>
                  {row.name}
                </Link>
                {' / '}
              </>
            )}
          </>
        ),
        versions,
        textQuery: (versionId, isCurrent) => versionQuery(projectId, id, versionId, isCurrent),
        chosen,
        onChoose: (search) =>
          void navigate({ to: '/p/$projectId/knowledge-base/$artifactId/history', params, search, replace: true }),
        onClose: () => void navigate({ to: '/p/$projectId/knowledge-base/$artifactId', params }),
        onRestore: (version, current) => restoreVersion(projectId, id, version, current),
      }}
    />
  )
}
