import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { cx } from '../lib/cx.ts'
import { takingFiles } from '../lib/uploads/files.ts'
import type { Uploads } from '../lib/uploads/uploads.ts'
import { IconButton } from '../ui/Button.tsx'
import { DropTarget } from '../ui/DropTarget.tsx'
import { IconPaperclip } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { MentionField } from '../ui/MentionField.tsx'
import { UploadList } from '../ui/UploadList.tsx'
import { useFilesInText } from '../ui/use-files-in-text.ts'
import comment from './Comment.module.css'
import css from './Composer.module.css'

interface Props {
  label: string
  placeholder: string
  text: string
  onChange(text: string): void
  onSend(): void
  onCancel?: (() => void) | undefined
  autoFocus?: boolean | undefined
  isBusy?: boolean
  /** Files that go with the comment. Without it, a file stands in the text. */
  attachments?: Uploads
  /** The buttons at the end of a card. */
  children?: ReactNode
}

/**
 * Where a comment is written. `@` names a person or anything else; files are dropped or pasted. With attachments it is a
 * card, and the modifier with Enter sends. Without, it is a line: Enter sends, and Shift with Enter starts a new line.
 */
export function Composer(props: Props) {
  const { label, placeholder, text, onChange, onSend, onCancel, autoFocus = false, attachments } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const { storing, taking } = useFilesInText(field, onChange)
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const isSent = attachments ? event.metaKey || event.ctrlKey : !event.shiftKey
    if (event.key === 'Enter' && isSent) {
      event.preventDefault()
      if (!storing) onSend()
    } else if (event.key === 'Escape') {
      if (attachments) event.stopPropagation()
      else event.preventDefault()
      if (onCancel) onCancel()
      else if (attachments) event.currentTarget.blur()
    }
  }
  const writing = (
    <MentionField
      field={field}
      autoFocus={autoFocus}
      aria-label={label}
      placeholder={placeholder}
      rows={attachments ? 2 : 1}
      className={css.field}
      value={text}
      readOnly={storing !== undefined || (props.isBusy ?? false)}
      onChange={onChange}
      onKeyDown={press}
      {...(attachments ? takingFiles(attachments.add) : taking)}
    />
  )
  if (!attachments)
    return (
      <div className={css.line}>
        {writing}
        <Kbd keys="enter" />
      </div>
    )
  return (
    <DropTarget className={cx(comment.card, css.card)} onFiles={attachments.add}>
      {writing}
      <UploadList uploads={attachments} />
      <div className={css.foot}>
        <AttachButton onFiles={attachments.add} />
        <span className={css.grow} />
        <Kbd keys="mod+enter" joined />
        {props.children}
      </div>
    </DropTarget>
  )
}

/** Chooses files to attach. */
export function AttachButton({ onFiles }: { onFiles(files: Iterable<File>): void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onFiles(event.target.files ?? [])
          event.target.value = ''
        }}
      />
      <IconButton label="Attach files" small onClick={() => input.current?.click()}>
        <IconPaperclip size={16} stroke={1.75} />
      </IconButton>
    </>
  )
}
