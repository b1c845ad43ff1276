import { useQuery } from '@tanstack/react-query'
import { CatchBoundary, Link, useMatchRoute, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { formatCount } from '../lib/numbers.ts'
import { IconFileText, IconTopologyStar3 } from '../ui/icons.ts'
import { countQuery } from './api.ts'
import { KINDS, type Kind } from './kind.ts'
import css from './sidebar.module.css'

const DocumentTree = lazy(async () => ({ default: (await import('./tree/DocumentTree.tsx')).DocumentTree }))
const SIGNS = { requirements: IconFileText, blueprints: IconTopologyStar3 }

/** The kind of documents that the page shows. */
export function useDocumentKind(): Kind | undefined {
  const match = useMatchRoute()
  return (Object.keys(KINDS) as Kind[]).find((kind) => match({ to: `/p/$projectId/${kind}`, fuzzy: true }) !== false)
}

interface Props {
  className: string | undefined
  countClassName: string | undefined
  growClassName: string | undefined
}

export function DocumentModules(props: Props) {
  return (
    <>
      <Module kind="requirements" {...props} />
      <Module kind="blueprints" {...props} />
    </>
  )
}

function Module({ kind, className = '', countClassName, growClassName }: Props & { kind: Kind }) {
  const { projectId } = useParams({ from: '/signed-in/p/$projectId' })
  const count = useQuery(countQuery(projectId, kind)).data
  const Sign = SIGNS[kind]
  return (
    <Link
      to={`/p/$projectId/${kind}`}
      params={{ projectId }}
      className={className}
      activeProps={{ 'data-active': true }}
    >
      <Sign size={17} stroke={1.75} />
      <span className={growClassName}>{KINDS[kind].title}</span>
      {count !== undefined && <span className={countClassName}>{formatCount(count)}</span>}
    </Link>
  )
}

const Space = () => <div className={css.space} />

export function SidebarTree({ kind }: { kind: Kind }) {
  return (
    // The page beside it says what is wrong.
    <CatchBoundary getResetKey={() => kind} errorComponent={Space}>
      <Suspense fallback={<Space />}>
        <DocumentTree key={kind} kind={kind} />
      </Suspense>
    </CatchBoundary>
  )
}
