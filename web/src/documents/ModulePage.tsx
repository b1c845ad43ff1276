import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useRouteContext } from '@tanstack/react-router'
import { TopBar } from '../app/frame/TopBar.tsx'
import { remembered } from '../lib/storage.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconFileText } from '../ui/icons.ts'
import { treeQuery } from './api.ts'
import { KINDS, type Kind } from './kind.ts'
import css from './ModulePage.module.css'
import { SearchLink } from './search/SearchLink.tsx'
import { DocumentTree } from './tree/DocumentTree.tsx'
import { rowsOf } from './tree/tree.ts'

export function RequirementsPage() {
  return <ModulePage kind="requirements" />
}

export function BlueprintsPage() {
  return <ModulePage kind="blueprints" />
}

const NONE: ReadonlySet<string> = new Set()

/** Opens the document that was open last, or the first one. A phone shows the tree, for which it has no sidebar. */
function ModulePage({ kind }: { kind: Kind }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const isNarrow = useMediaQuery('(max-width: 720px)', undefined, { getInitialValueInEffect: false })
  const { data: tree, error } = useQuery(treeQuery(project.id, kind))
  if (error && !tree) throw error
  const last = remembered(`document-${project.id}-${kind}`)
  const rows = tree ? rowsOf(tree, { open: NONE, closedGroups: NONE, adding: undefined }) : []
  const first = tree?.nodes.find(({ id }) => id === last)?.id ?? rows.find(({ type }) => type === 'node')?.id
  if (!isNarrow && first)
    return (
      <Navigate
        to={`/p/$projectId/${kind}/$documentId`}
        params={{ projectId: project.id, documentId: first }}
        replace
      />
    )
  return (
    <>
      <TopBar path={<strong>{KINDS[kind].title}</strong>} tools={<SearchLink kind={kind} />} />
      {isNarrow ? (
        <div className={css.tree}>
          <DocumentTree kind={kind} />
        </div>
      ) : (
        tree && <Empty kind={kind} />
      )}
    </>
  )
}

function Empty({ kind }: { kind: Kind }) {
  const what =
    kind === 'requirements'
      ? 'Requirements say what to build and why: an overview of the product, and one document per feature. Begin with + beside Features.'
      : 'Blueprints say how the product is built. Each feature brings its own; add others with + beside a category.'
  return (
    <EmptyState
      icon={<IconFileText size={22} stroke={1.75} />}
      title={`No ${KINDS[kind].title.toLowerCase()} yet`}
      command={`curl -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\\n  ${location.origin}/v2/external-api/${kind} \\\n  -d '${JSON.stringify(
        kind === 'requirements' ? { title: 'Refunds', document_type: 'FEATURE' } : { title: 'Payment service' },
      )}'`}
    >
      {what}
    </EmptyState>
  )
}
