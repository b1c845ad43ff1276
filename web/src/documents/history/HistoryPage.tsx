import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router'
import css from '../../history/History.module.css'
import { History } from '../../history/History.tsx'
import { documentQuery, historyQuery, versionQuery } from '../api.ts'
import { KINDS, type Kind } from '../kind.ts'
import { nameVersion, restoreVersion } from './edits.ts'

export function RequirementHistory() {
  return <HistoryPage kind="requirements" />
}

export function BlueprintHistory() {
  return <HistoryPage kind="blueprints" />
}

function HistoryPage({ kind }: { kind: Kind }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const id = useParams({ strict: false }).documentId!
  const chosen = useSearch({ from: `/signed-in/p/$projectId/${kind}/$documentId/history` })
  const navigate = useNavigate()
  const { data: document } = useQuery(documentQuery(project.id, kind, id))
  const { data: versions, error } = useQuery(historyQuery(project.id, kind, id))
  if (error && !versions) throw error
  const place = { projectId: project.id, kind, id }
  const params = { projectId: project.id, documentId: id }
  return (
    <History
      of={{
        title: document?.title,
        path: (
          <>
            <span className={css.wide}>{KINDS[kind].title} / </span>
            {document && (
              <>
                <Link to={`/p/$projectId/${kind}/$documentId`} params={params}>
                  {document.title}
                </Link>
                {' / '}
              </>
            )}
          </>
        ),
        versions,
        textQuery: (versionId, isCurrent) => versionQuery(project.id, kind, id, versionId, isCurrent),
        chosen,
        onChoose: (search) =>
          void navigate({ to: `/p/$projectId/${kind}/$documentId/history`, params, search, replace: true }),
        onClose: () => void navigate({ to: `/p/$projectId/${kind}/$documentId`, params }),
        onRestore: (version, current) => restoreVersion(place, version, current),
        onName: (version, name) => void nameVersion(place, version, name),
      }}
    />
  )
}
