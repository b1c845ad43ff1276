import { type ReactNode, useRef } from 'react'
import { takingFiles } from '../../lib/uploads/files.ts'
import type { Uploads } from '../../lib/uploads/uploads.ts'
import { IconButton } from '../../ui/Button.tsx'
import { DropTarget } from '../../ui/DropTarget.tsx'
import { IconPaperclip } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { UploadList } from '../../ui/UploadList.tsx'
import css from './Comment.module.css'
import section from './Section.module.css'

interface Props {
  text: string
  onChange(text: string): void
  attachments: Uploads
  onSubmit(): void
  onCancel?(): void
  autoFocus?: boolean
  /** The buttons at the end. */
  children: ReactNode
}

/** The field of a comment. Files are attached with the button, dropped or pasted. */
export function CommentForm(props: Props) {
  const { text, onChange, attachments, onSubmit, onCancel, autoFocus, children } = props
  const input = useRef<HTMLInputElement>(null)
  return (
    <DropTarget className={css.card} onFiles={attachments.add}>
      <textarea
        className={css.field}
        rows={2}
        aria-label="Comment"
        placeholder="Write a comment, or drop a file…"
        // biome-ignore lint/a11y/noAutofocus: the field opens on request.
        autoFocus={autoFocus}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onPaste={takingFiles(attachments.add).onPaste}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
            event.preventDefault()
            onSubmit()
          } else if (event.key === 'Escape') {
            event.stopPropagation()
            if (onCancel) onCancel()
            else event.currentTarget.blur()
          }
        }}
      />
      <UploadList uploads={attachments} />
      <div className={css.foot}>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={(event) => {
            attachments.add(event.target.files ?? [])
            event.target.value = ''
          }}
        />
        <IconButton label="Attach files" small onClick={() => input.current?.click()}>
          <IconPaperclip size={16} stroke={1.75} />
        </IconButton>
        <span className={section.grow} />
        <Kbd keys="mod+enter" joined />
        {children}
      </div>
    </DropTarget>
  )
}
