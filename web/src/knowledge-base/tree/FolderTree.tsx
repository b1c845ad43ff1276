import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { formatCount } from '../../lib/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { useRememberedSet } from '../../lib/use-remembered-set.ts'
import { IconButton } from '../../ui/Button.tsx'
import {
  IconArrowRight,
  IconDots,
  IconFolder,
  IconFolderOpen,
  IconFolderPlus,
  IconPencil,
  IconTrash,
} from '../../ui/icons.ts'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { AnchoredMenu } from '../../ui/Menu.tsx'
import sidebar from '../../ui/SidebarList.module.css'
import { NameField } from '../../ui/tree/NameField.tsx'
import treeCss from '../../ui/tree/Tree.module.css'
import { Tree } from '../../ui/tree/Tree.tsx'
import { TreeLine } from '../../ui/tree/TreeLine.tsx'
import { type Folder, foldersQuery, rowQuery } from '../api.ts'
import { createArtifact } from '../creation.ts'
import { draggedRows } from '../dragging.ts'
import { renameArtifact, trashArtifacts } from '../edits.ts'
import { openMovePicker } from '../list/MovePicker.tsx'
import { moveArtifacts } from '../moves.ts'
import type { Named } from '../outcomes.ts'
import css from './FolderTree.module.css'
import { isWithin, NEW_ROW, pathTo, ROOT_ID, rowsOf } from './folders.ts'

const SIZE = { size: 15, stroke: 1.75 }

/** The folders of the knowledge base, in the sidebar. */
export function FolderTree() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { artifactId } = useParams({ strict: false })
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const { data, error, refetch } = useQuery(foldersQuery(project.id))
  const folders = data?.folders ?? []
  const current = useCurrent(project.id, artifactId, folders)
  const isTrash = useLocation({ select: ({ pathname }) => pathname.endsWith('/knowledge-base/trash') })
  const [opened, setOpened] = useRememberedSet(`folders-${project.id}`)
  const [adding, setAdding] = useState<string>()
  const [renaming, setRenaming] = useState<string>()
  const [menu, setMenu] = useState<{ folder: Folder; beside: Element }>()
  const scroller = useRef<HTMLDivElement>(null)
  const dragged = useStore(draggedRows)
  // What is open is always visible in the tree.
  const open = useMemo(
    () =>
      new Set([
        ...opened,
        ...pathTo(folders, current)
          .slice(0, -1)
          .map(({ id }) => id),
      ]),
    [opened, folders, current],
  )
  const rows = useMemo(() => (data ? rowsOf(data, open, adding) : []), [data, open, adding])

  if (error && !data)
    return (
      <div className={treeCss.fault}>
        <LoadFault what="The folders" error={error} onRetry={refetch} />
      </div>
    )
  if (!data) return <div className={treeCss.tree} aria-busy />

  const find = (id: string) => folders.find((one) => one.id === id)
  const goTo = (id: string) =>
    void (id === ROOT_ID
      ? navigate({ to: '/p/$projectId/knowledge-base', params: { projectId: project.id } })
      : navigate({ to: '/p/$projectId/knowledge-base/$artifactId', params: { projectId: project.id, artifactId: id } }))
  const toggle = (id: string) =>
    setOpened((old) => (old.has(id) ? new Set([...old].filter((one) => one !== id)) : new Set(old).add(id)))
  const add = async (name: string | undefined) => {
    const parent = adding
    setAdding(undefined)
    if (!name || parent === undefined) return
    await createArtifact(project.id, { type: 'folder', name, parentId: parent === ROOT_ID ? null : parent })
    if (parent !== ROOT_ID) setOpened((old) => new Set(old).add(parent))
  }
  const move = (items: Named[], target: string) => {
    const fits = items.filter(({ id }) => !isWithin(folders, target, id))
    moveArtifacts(project.id, fits, find(target))
  }
  return (
    <>
      <h2 className={sidebar.heading}>
        Folders
        {mayWrite && (
          <button
            type="button"
            className={sidebar.add}
            aria-label="New folder"
            title="New folder"
            onClick={() => setAdding(current ?? ROOT_ID)}
          >
            <IconFolderPlus {...SIZE} />
          </button>
        )}
      </h2>
      <Tree
        label="Folders"
        rows={rows}
        current={isTrash ? undefined : (current ?? ROOT_ID)}
        shown={adding ? NEW_ROW : current}
        mayChange={({ id }) => mayWrite && id !== ROOT_ID}
        said=""
        scroller={scroller}
        takes={mayWrite && dragged.length > 0}
        on={{
          open: goTo,
          toggle,
          rename: setRenaming,
          remove: (id) => trashArtifacts(project.id, [find(id)!]),
          // Folders stand in the order of their names. Alt and ← moves one out of its parent.
          step: (id, arrow) => {
            const folder = find(id)!
            const parent = folder.parent_id && find(folder.parent_id)
            if (arrow === 'ArrowLeft' && parent) move([folder], parent.parent_id ?? ROOT_ID)
          },
          unfold: (id) => setOpened((old) => new Set(old).add(id)),
          drop: (id, at) => move([find(id)!], at.id),
          take: (at) => move(draggedRows.get(), at.id),
        }}
      >
        {(row, line) => {
          if (row.type === 'new' || row.id === renaming) {
            const folder = find(row.id)
            return (
              <NameField
                label={folder ? `Name of ${folder.name}` : 'Name of the new folder'}
                icon={<IconFolder {...SIZE} />}
                depth={row.depth}
                value={folder?.name ?? ''}
                onDone={(name, before) => {
                  if (!folder) return void add(name)
                  setRenaming(undefined)
                  scroller.current?.focus()
                  if (name) renameArtifact(project.id, row.id, before, name)
                }}
              />
            )
          }
          const isRoot = row.id === ROOT_ID
          return (
            <TreeLine
              {...line}
              row={row}
              withIcon
              onlyInside
              href={`/p/${project.id}/knowledge-base${isRoot ? '' : `/${row.id}`}`}
              icon={row.isOpen || line.isCurrent ? <IconFolderOpen {...SIZE} /> : <IconFolder {...SIZE} />}
              mayChange={mayWrite && !isRoot}
              on={{ toggle, open: goTo, rename: setRenaming }}
              tools={
                <IconButton
                  label={`More about ${row.title}`}
                  small
                  tabIndex={-1}
                  onClick={({ currentTarget }) => setMenu({ folder: find(row.id)!, beside: currentTarget })}
                >
                  <IconDots {...SIZE} />
                </IconButton>
              }
            >
              <span className={css.count}>{formatCount(row.fileCount)}</span>
            </TreeLine>
          )
        }}
      </Tree>
      <Link
        to="/p/$projectId/knowledge-base/trash"
        params={{ projectId: project.id }}
        className={sidebar.view}
        activeProps={{ 'data-active': true }}
      >
        <IconTrash {...SIZE} />
        Trash
      </Link>
      {menu && (
        <AnchoredMenu
          label={`More about ${menu.folder.name}`}
          anchor={menu.beside.getBoundingClientRect()}
          options={[
            { value: 'add', label: 'New folder in it', icon: <IconFolderPlus {...SIZE} /> },
            { value: 'rename', label: 'Rename', icon: <IconPencil {...SIZE} />, keys: 'f2' },
            { value: 'move', label: 'Move to…', icon: <IconArrowRight {...SIZE} /> },
            { value: 'remove', label: 'Delete', icon: <IconTrash {...SIZE} />, divided: true },
          ]}
          onClose={() => setMenu(undefined)}
          onPick={(value) => {
            const { folder, beside } = menu
            if (value === 'add') setAdding(folder.id)
            else if (value === 'rename') setRenaming(folder.id)
            else if (value === 'move') openMovePicker(project.id, [folder], beside)
            else trashArtifacts(project.id, [folder])
          }}
        />
      )}
    </>
  )
}

/** The folder that is open, or the one of the file that is. */
function useCurrent(projectId: string, id: string | undefined, folders: Folder[]): string | undefined {
  const isFolder = id !== undefined && folders.some((one) => one.id === id)
  const file = useQuery({ ...rowQuery(projectId, id ?? ''), enabled: id !== undefined && !isFolder }).data
  return isFolder ? id : (file?.parent_id ?? undefined)
}
