import type { ReactNode } from 'react'
import { copyText } from '../lib/copy-text.ts'
import { IconCopy, IconPencil, IconTrash } from '../ui/icons.ts'
import { Markdown } from '../ui/Markdown.tsx'
import { MoreMenu } from '../ui/MoreMenu.tsx'
import { Byline } from './Byline.tsx'
import css from './Comment.module.css'

interface Props extends Omit<Parameters<typeof Byline>[0], 'note'> {
  text: string
  isEdited: boolean
  /** Undefined for whom may not. */
  onEdit?: (() => void) | undefined
  onDelete?: (() => void) | undefined
  canCopy?: boolean
  /** Stands in place of the text while it is edited. */
  editing?: ReactNode
  /** Shown with the text. */
  below?: ReactNode
}

const SIZE = { size: 16, stroke: 1.75 }

/** What someone said, when, and what can be done with it. */
export function Comment({ text, isEdited, onEdit, onDelete, canCopy, editing, below, children, ...by }: Props) {
  const options = [
    ...(canCopy ? [{ value: 'copy', label: 'Copy text', icon: <IconCopy {...SIZE} /> }] : []),
    ...(onEdit ? [{ value: 'edit', label: 'Edit', icon: <IconPencil {...SIZE} /> }] : []),
    ...(onDelete
      ? [{ value: 'delete', label: 'Delete', icon: <IconTrash {...SIZE} />, danger: true, divided: canCopy ?? false }]
      : []),
  ]
  const pick = (value: string) => {
    if (value === 'copy') void copyText(text, 'Comment copied')
    else if (value === 'edit') onEdit?.()
    else onDelete?.()
  }
  const inside = (
    <>
      <Byline {...by} note={isEdited ? 'edited' : undefined}>
        {children}
        {!editing && options.length > 0 && (
          <MoreMenu small label="More about the comment" options={options} onPick={pick} />
        )}
      </Byline>
      {editing || (
        <div className={by.isWide ? undefined : css.text}>
          <Markdown text={text} />
        </div>
      )}
      {below}
    </>
  )
  return by.isWide ? <div className={css.card}>{inside}</div> : inside
}
