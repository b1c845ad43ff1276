import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { PHONE, useWidth } from '../lib/breakpoints.ts'
import { isNew } from '../lib/ids.ts'
import { useMayWrite } from '../lib/may-write.ts'
import { noteHere } from '../lib/still-here.ts'
import { remembered } from '../lib/storage.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconFileText, IconPlus } from '../ui/icons.ts'
import { TopBar } from '../ui/TopBar.tsx'
import { type Tree, treeQuery } from './api.ts'
import { KINDS, type Kind } from './kind.ts'
import css from './ModulePage.module.css'
import { SearchLink } from './search/SearchLink.tsx'
import { createDocument } from './tree/creation.ts'
import { DocumentTree } from './tree/DocumentTree.tsx'
import { rowsOf } from './tree/tree.ts'

export function RequirementsPage() {
  return <ModulePage kind="requirements" />
}

export function BlueprintsPage() {
  return <ModulePage kind="blueprints" />
}

const NONE: ReadonlySet<string> = new Set()

/** Opens the document that was open last, or the first one. A phone shows the tree. */
function ModulePage({ kind }: { kind: Kind }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const isNarrow = useWidth(PHONE)
  const { data: tree, error } = useQuery(treeQuery(project.id, kind))
  const [isBegun, setBegun] = useState(false)
  if (error && !tree) throw error
  const last = remembered(`document-${project.id}-${kind}`)
  const rows = tree ? rowsOf(tree, { open: NONE, closedGroups: NONE, adding: undefined }) : []
  const first =
    tree?.nodes.find(({ id }) => id === last)?.id ?? rows.find((row) => row.type === 'node' && !isNew(row))?.id
  if (!isNarrow && first)
    return (
      <Navigate
        to={`/p/$projectId/${kind}/$documentId`}
        params={{ projectId: project.id, documentId: first }}
        {...(isBegun && { hash: 'title' })}
        replace
      />
    )
  return (
    <>
      <TopBar
        path={<strong>{KINDS[kind].title}</strong>}
        title={KINDS[kind].title}
        tools={<SearchLink kind={kind} />}
      />
      <h1 className="sr-only">{KINDS[kind].title}</h1>
      {isNarrow && (
        <div className={first ? css.tree : css.groups}>
          <DocumentTree kind={kind} />
        </div>
      )}
      {tree && !first && <Empty kind={kind} tree={tree} onBegin={() => setBegun(true)} />}
    </>
  )
}

function Empty({ kind, tree, onBegin }: { kind: Kind; tree: Tree; onBegin(): void }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const group = tree.groups.find(({ locked, name }) => !locked && name !== 'OVERVIEW')
  const title = kind === 'requirements' ? 'New feature' : 'New blueprint'
  const create = async () => {
    onBegin()
    const isStillHere = noteHere()
    const documentId = group && (await createDocument(project.id, kind, { title, group, parentId: null }))
    if (documentId && isStillHere())
      await navigate({
        to: `/p/$projectId/${kind}/$documentId`,
        params: { projectId: project.id, documentId },
        hash: 'title',
      })
  }
  const what =
    kind === 'requirements'
      ? 'Requirements say what to build and why: an overview of the product, and one document per feature.'
      : 'Blueprints say how the product is built. Each feature brings its own; the others are kept in categories.'
  return (
    <EmptyState
      icon={<IconFileText size={22} stroke={1.75} />}
      title={`No ${KINDS[kind].title.toLowerCase()} yet`}
      action={
        mayWrite && (
          <Button look="primary" icon={<IconPlus size={16} />} onClick={() => void create()}>
            {title}
          </Button>
        )
      }
      command={`curl -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\\n  ${location.origin}/v2/external-api/${kind} \\\n  -d '${JSON.stringify(
        kind === 'requirements' ? { title: 'Refunds', document_type: 'FEATURE' } : { title: 'Payment service' },
      )}'`}
    >
      {what}
    </EmptyState>
  )
}
