import { type ReactNode, useRef, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconAlertTriangle, IconFileText, IconPaperclip, IconRefresh, IconX } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { sizeOf, type useAttachments } from './attachments.ts'
import css from './Comment.module.css'
import section from './Section.module.css'

interface Props {
  text: string
  onChange(text: string): void
  attachments: ReturnType<typeof useAttachments>
  onSubmit(): void
  onCancel?(): void
  autoFocus?: boolean
  /** The buttons at the end. */
  children: ReactNode
}

/** The field of a comment. Files are attached with the button, dropped or pasted. */
export function CommentForm(props: Props) {
  const { text, onChange, attachments, onSubmit, onCancel, autoFocus, children } = props
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = (list: FileList | undefined) => {
    if (!list || list.length === 0) return false
    attachments.add(list)
    return true
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button below attaches files too.
    <div
      className={cx(css.card, isOver && css.over)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false)
        if (take(event.dataTransfer.files)) event.preventDefault()
      }}
    >
      <textarea
        className={css.field}
        rows={2}
        aria-label="Comment"
        placeholder="Write a comment, or drop a file…"
        // biome-ignore lint/a11y/noAutofocus: the field opens on request.
        autoFocus={autoFocus}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onPaste={(event) => {
          if (take(event.clipboardData.files)) event.preventDefault()
        }}
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
      {attachments.files.length > 0 && (
        <ul className={css.uploads} aria-label="Attached files">
          {attachments.files.map((one) => (
            <li
              key={one.key}
              className={cx(css.upload, one.fault && css.failed)}
              aria-busy={!one.artifactId && !one.fault}
            >
              {one.fault ? <IconAlertTriangle size={15} stroke={1.75} /> : <IconFileText size={15} stroke={1.75} />}
              <span className={css.uploadName}>{one.name}</span>
              <span className={css.uploadState}>
                {one.fault ? `Not uploaded: ${one.fault}` : one.artifactId ? sizeOf(one.size) : 'Uploading…'}
              </span>
              {one.fault && (
                <IconButton label={`Retry ${one.name}`} small onClick={() => attachments.retry(one)}>
                  <IconRefresh size={14} stroke={1.75} />
                </IconButton>
              )}
              <IconButton label={`Take ${one.name} off`} small onClick={() => attachments.remove(one)}>
                <IconX size={14} stroke={1.75} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className={css.foot}>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={(event) => {
            take(event.target.files ?? undefined)
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
    </div>
  )
}
