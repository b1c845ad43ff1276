import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { lazy, useEffect, useRef, useState } from 'react'
import { useWidth, WITH_BESIDE } from '../../lib/breakpoints.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { filesOf } from '../../lib/uploads/files.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { DropTarget } from '../../ui/DropTarget.tsx'
import { IconFilePlus, IconUpload } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { Split } from '../../ui/Split.tsx'
import { TopBar } from '../../ui/TopBar.tsx'
import type { Folder } from '../api.ts'
import { ROOT_NAME } from '../artifact.ts'
import { createArtifact } from '../creation.ts'
import { Path } from '../Path.tsx'
import type { KnowledgeSearch } from '../search.ts'
import { selected } from '../selection.ts'
import { useShortcut } from '../shortcuts.ts'
import { type Dropped, droppedFiles } from '../uploads/dropped.ts'
import { addUploads } from '../uploads/uploads.ts'
import { EmptyFolder } from './EmptyFolder.tsx'
import { FolderList } from './FolderList.tsx'
import css from './FolderPage.module.css'
import { KnowledgeToolbar } from './KnowledgeToolbar.tsx'
import { useOpenArtifact } from './open-artifact.ts'
import { useRows } from './use-rows.ts'

const FileBeside = lazy(() => import('../detail/FileBeside.tsx'))

const SIZE = { size: 16, stroke: 1.75 }

/** What lies in a folder. Undefined is the root. */
export function FolderPage({ folder }: { folder: Folder | undefined }) {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const search = useSearch({ strict: false }) as KnowledgeSearch
  const navigate = useNavigate()
  const open = useOpenArtifact(project.id)
  const mayWrite = useMayWrite()
  const isWide = useWidth(WITH_BESIDE)
  const [renaming, setRenaming] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const { rows, total, error, hasNextPage, isFetchingNextPage, isFetching, fetchNextPage, isPlaceholderData } = useRows(
    project.id,
    folder?.id,
    search,
  )
  if (error && !rows) throw error
  const name = folder?.name ?? ROOT_NAME
  usePageTitle(`${folder?.name ?? 'Knowledge Base'} · ${project.name}`)
  useEffect(() => {
    return () => selected.clear()
  }, [])

  const place = {
    projectId: project.id,
    userId: session.user.id,
    folderId: folder?.id ?? null,
    folderName: name,
  }
  const add = (files: Dropped[]) => files.length > 0 && addUploads(place, files)
  const addPlain = (files: Iterable<File>) => add([...files].map((file) => ({ file, path: [] })))
  const choose = () => field.current?.click()
  const newDocument = async () => {
    const id = await createArtifact(project.id, { type: 'document', name: 'Untitled', parentId: place.folderId })
    const params = { projectId: project.id, artifactId: id! }
    if (id) void navigate({ to: '/p/$projectId/knowledge-base/$artifactId', params, hash: 'edit' })
  }
  const newFolder = async () =>
    setRenaming(await createArtifact(project.id, { type: 'folder', name: 'New folder', parentId: place.folderId }))
  useShortcut('upload', mayWrite ? choose : undefined)
  useShortcut('create', mayWrite ? () => void newDocument() : undefined)
  usePastedFiles(mayWrite ? addPlain : undefined)

  const isFiltered = Boolean(search.q || search.kind)
  const besideId = isWide ? search.beside : undefined
  const beside = besideId && {
    of: besideId,
    panel: (
      <FileBeside
        projectId={project.id}
        id={besideId}
        order={(rows ?? []).filter(({ type }) => type !== 'folder').map((row) => row.id)}
        isWhole={!hasNextPage}
      />
    ),
  }
  const body = !rows ? (
    <div aria-busy="true" />
  ) : rows.length === 0 ? (
    <EmptyFolder isRoot={!folder} isFiltered={isFiltered} onUpload={mayWrite ? choose : undefined} />
  ) : (
    <FolderList
      projectId={project.id}
      rows={rows}
      isGrid={search.layout === 'grid'}
      isSearch={Boolean(search.q)}
      openId={besideId}
      renaming={renaming}
      onRename={setRenaming}
      onMore={hasNextPage ? () => !isFetchingNextPage && !isFetching && void fetchNextPage() : undefined}
    />
  )
  return (
    <>
      <TopBar path={<Path folderId={folder?.id} />} {...(!folder && { title: 'Knowledge Base' })}>
        {mayWrite && (
          <>
            <Button className={css.wide} icon={<IconFilePlus {...SIZE} />} onClick={() => void newDocument()}>
              New document
            </Button>
            <Button className={css.wide} look="primary" icon={<IconUpload {...SIZE} />} onClick={choose}>
              Upload <Kbd keys="u" onAccent />
            </Button>
            <IconButton label="New document" className={css.narrow} onClick={() => void newDocument()}>
              <IconFilePlus size={20} stroke={1.75} />
            </IconButton>
            <IconButton label="Upload" className={css.narrow} onClick={choose}>
              <IconUpload size={20} stroke={1.75} />
            </IconButton>
            <input
              ref={field}
              type="file"
              multiple
              hidden
              aria-label="Files to upload"
              onChange={({ target }) => {
                addPlain(target.files ?? [])
                target.value = ''
              }}
            />
          </>
        )}
      </TopBar>
      <h1 className="sr-only">{name}</h1>
      <Split beside={beside || undefined}>
        <KnowledgeToolbar
          search={search}
          place={name}
          total={rows && total}
          onNewFolder={mayWrite ? () => void newFolder() : undefined}
        />
        {mayWrite ? (
          <DropTarget
            className={css.drop}
            data-stale={isPlaceholderData || undefined}
            onFiles={addPlain}
            onTransfer={(transfer) => void droppedFiles(transfer).then(add)}
          >
            {body}
          </DropTarget>
        ) : (
          <div className={css.drop}>{body}</div>
        )}
      </Split>
      {search.beside && !isWide && <OpenAsPage id={search.beside} onOpen={open} />}
    </>
  )
}

/** An address from a wide screen, opened on a narrow one. */
function OpenAsPage({ id, onOpen }: { id: string; onOpen: ReturnType<typeof useOpenArtifact> }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each file
  useEffect(() => void onOpen({ id, type: 'file' }, { asPage: true, replace: true }), [id])
  return null
}

/** Files that are pasted anywhere but in a field. */
function usePastedFiles(take: ((files: File[]) => void) | undefined): void {
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const isField = (event.target as Element).closest?.('input, textarea, [contenteditable="true"]')
      const files = isField ? [] : filesOf(event.clipboardData)
      if (files.length === 0 || !latest.current) return
      event.preventDefault()
      latest.current(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}
