import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { useRef } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { IconButton } from '../../ui/Button.tsx'
import {
  IconDots,
  IconDownload,
  IconFolderSymlink,
  IconHistory,
  IconLink,
  IconPencil,
  IconReplace,
  IconTrash,
} from '../../ui/icons.ts'
import { MenuButton } from '../../ui/Menu.tsx'
import type { Row } from '../artifact.ts'
import { download } from '../download.ts'
import { trashArtifacts } from '../edits.ts'
import { openMovePicker } from '../list/MovePicker.tsx'
import { linkOf } from '../list/row-menu.tsx'
import { replaceWith } from '../uploads/uploads.ts'

const SIZE = { size: 17, stroke: 1.75 }

interface Props {
  projectId: string
  row: Row
  onRename(): void
  onGone(): void
}

/** What can be done with an open file. */
export function FileTools({ projectId, row, onRename, onGone }: Props) {
  const { session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const mayWrite = useMayWrite()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label="Download" small onClick={() => download(projectId, row)}>
        <IconDownload {...SIZE} />
      </IconButton>
      {row.type === 'document' && (
        <IconButton
          label="History"
          small
          onClick={() =>
            void navigate({
              to: '/p/$projectId/knowledge-base/$artifactId/history',
              params: { projectId, artifactId: row.id },
            })
          }
        >
          <IconHistory {...SIZE} />
        </IconButton>
      )}
      {mayWrite && (
        <>
          <IconButton label="Rename" small onClick={onRename}>
            <IconPencil {...SIZE} />
          </IconButton>
          <IconButton
            label="Move"
            small
            onClick={({ currentTarget }) => openMovePicker(projectId, [row], currentTarget)}
          >
            <IconFolderSymlink {...SIZE} />
          </IconButton>
          <MenuButton
            label={`More about ${row.name}`}
            place="bottom-end"
            target={({ toggle }) => (
              <IconButton label="More" small onClick={toggle}>
                <IconDots {...SIZE} />
              </IconButton>
            )}
            options={[
              ...(row.type === 'file'
                ? [{ value: 'replace', label: 'Replace the content…', icon: <IconReplace size={15} stroke={1.75} /> }]
                : []),
              { value: 'link', label: 'Copy link', icon: <IconLink size={15} stroke={1.75} /> },
              { value: 'trash', label: 'Delete', icon: <IconTrash size={15} stroke={1.75} /> },
            ]}
            onPick={(value) => {
              if (value === 'replace') return field.current?.click()
              if (value === 'link') return void copyText(linkOf(projectId, row.id), 'Link copied')
              trashArtifacts(projectId, [row])
              onGone()
            }}
          />
          <input
            ref={field}
            type="file"
            hidden
            aria-label={`New content of ${row.name}`}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) replaceWith({ projectId, userId: session.user.id, row }, file)
              target.value = ''
            }}
          />
        </>
      )}
    </>
  )
}
