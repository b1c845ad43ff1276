import { useState } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { IconArrowRight, IconDownload, IconLink, IconPencil, IconTrash } from '../../ui/icons.ts'
import { AnchoredMenu } from '../../ui/Menu.tsx'
import type { Row } from '../artifact.ts'
import { download } from '../download.ts'
import { trashArtifacts } from '../edits.ts'
import { openMovePicker } from './MovePicker.tsx'

const SIZE = { size: 15, stroke: 1.75 }

export const linkOf = (projectId: string, id: string) => `${location.origin}/p/${projectId}/knowledge-base/${id}`

interface Opened {
  rows: Row[]
  anchor: DOMRect
  beside: Element
}

/** The menu of a row, or of all that are selected. */
export function useRowMenu(projectId: string, { mayWrite, onRename }: { mayWrite: boolean; onRename(row: Row): void }) {
  const [opened, setOpened] = useState<Opened>()
  const open = (rows: Row[], beside: Element, at?: { clientX: number; clientY: number }) =>
    setOpened({ rows, beside, anchor: at ? new DOMRect(at.clientX, at.clientY) : beside.getBoundingClientRect() })
  const { rows = [] } = opened ?? {}
  const one = rows.length === 1 ? rows[0] : undefined
  const options = [
    ...(one && one.type !== 'folder'
      ? [{ value: 'download', label: 'Download', icon: <IconDownload {...SIZE} /> }]
      : []),
    ...(one ? [{ value: 'link', label: 'Copy link', icon: <IconLink {...SIZE} /> }] : []),
    ...(mayWrite && one ? [{ value: 'rename', label: 'Rename', icon: <IconPencil {...SIZE} />, keys: 'f2' }] : []),
    ...(mayWrite
      ? [
          { value: 'move', label: 'Move to…', icon: <IconArrowRight {...SIZE} />, keys: 'm' },
          { value: 'trash', label: 'Delete', icon: <IconTrash {...SIZE} />, keys: 'delete', divided: true },
        ]
      : []),
  ]
  const menu = opened && (
    <AnchoredMenu
      label={one ? `More about ${one.name}` : `More about ${rows.length} items`}
      anchor={opened.anchor}
      options={options}
      onClose={() => setOpened(undefined)}
      onPick={(value) => {
        if (value === 'download') download(projectId, one!)
        else if (value === 'link') void copyText(linkOf(projectId, one!.id), 'Link copied')
        else if (value === 'rename') onRename(one!)
        else if (value === 'move') openMovePicker(projectId, rows, opened.beside)
        else trashArtifacts(projectId, rows)
      }}
    />
  )
  return { open, menu }
}
