import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { SlipwayError } from '../../lib/client.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconFile } from '../../ui/icons.ts'
import { TopBar } from '../../ui/TopBar.tsx'
import { rowQuery } from '../api.ts'
import { renameArtifact } from '../edits.ts'
import { NameInput } from '../list/NamingRow.tsx'
import { Path } from '../Path.tsx'
import { Preview } from '../preview/Preview.tsx'
import { useShortcut } from '../shortcuts.ts'
import css from './Detail.module.css'
import { EarlierContents } from './EarlierContents.tsx'
import { FileFacts } from './FileFacts.tsx'
import { FileTools } from './FileTools.tsx'
import { UsedIn } from './UsedIn.tsx'

/** A document or a file on a page of its own. */
export function FilePage({ id }: { id: string }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { data: row, error } = useQuery(rowQuery(project.id, id))
  const [isNaming, setNaming] = useState(false)
  const navigate = useNavigate()
  usePageTitle(row && `${row.name} · ${project.name}`)
  const leave = () =>
    void navigate({
      to: row?.parent_id ? '/p/$projectId/knowledge-base/$artifactId' : '/p/$projectId/knowledge-base',
      params: { projectId: project.id, artifactId: row?.parent_id ?? '' },
    })
  useShortcut('back', leave)
  // What was typed in a document that is gone stays on the page. A folder that is gone has nothing to show.
  const isFolder = row?.kind === 'folder'
  if (error && (!row || isFolder)) {
    if (error instanceof SlipwayError && error.status === 404) return <Gone onLeave={leave} />
    throw error
  }
  if (!row || isFolder) return <TopBar path={<Path folderId={undefined} />} />
  return (
    <>
      <TopBar path={<Path folderId={row.parent_id} file={row.name} />}>
        <FileTools projectId={project.id} row={row} onRename={() => setNaming(true)} onGone={leave} />
      </TopBar>
      <h1 className="sr-only">{row.name}</h1>
      {isNaming && (
        <div className={css.naming}>
          <NameInput
            row={row}
            onDone={(name, before) => {
              setNaming(false)
              if (name) renameArtifact(project.id, id, before, name)
            }}
          />
        </div>
      )}
      <div className={css.page}>
        <div className={css.preview}>
          <Preview projectId={project.id} row={row} />
        </div>
        <div className={css.inspector}>
          <UsedIn projectId={project.id} id={id} />
          <FileFacts row={row} />
          <EarlierContents projectId={project.id} row={row} />
        </div>
      </div>
    </>
  )
}

/** What an address without a file shows. */
const Gone = ({ onLeave }: { onLeave(): void }) => (
  <>
    <TopBar path={<strong>Knowledge Base</strong>} />
    <EmptyState
      icon={<IconFile size={22} stroke={1.75} />}
      title="There is no such file"
      action={
        <Button look="primary" onClick={onLeave}>
          Show all files
        </Button>
      }
    >
      It was deleted, or the address is mistyped. What was deleted in the last 30 days is in the trash.
    </EmptyState>
  </>
)
