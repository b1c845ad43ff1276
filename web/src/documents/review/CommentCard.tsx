import type { CommentThread } from '@slipway/sdk'
import { type Ref, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { Markdown } from '../../lib/markdown.tsx'
import { fullTimeOf, momentOf } from '../../lib/time.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconArrowBackUp, IconCircleCheck, IconFlag } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import css from './CommentCard.module.css'
import { NamedAvatar } from './NamedAvatar.tsx'
import type { Comments } from './use-comments.ts'

interface Props {
  thread: CommentThread
  comments: Comments
  isActive: boolean
  mayWrite: boolean
  cardRef?: Ref<HTMLElement>
  onActivate(): void
}

/** A thread of comments. Its field for an answer appears when it is active. */
export function CommentCard({ thread, comments, isActive, mayWrite, cardRef, onActivate }: Props) {
  const { is_resolved, is_flagged, messages } = thread
  return (
    <section
      ref={cardRef}
      className={cx(css.card, isActive && css.active, is_resolved && css.resolved)}
      aria-label={`Comment by ${messages[0]?.created_by_name}`}
      onClick={onActivate}
      onFocus={onActivate}
      onKeyDown={(event) => event.key === 'Enter' && event.target === event.currentTarget && onActivate()}
    >
      {messages.map((message, at) => (
        <div key={message.id} className={css.message}>
          <header className={css.head}>
            <NamedAvatar name={message.created_by_name} />
            <strong>{message.created_by_name}</strong>
            <time dateTime={message.created_at} title={fullTimeOf(message.created_at)}>
              {momentOf(message.created_at)}
            </time>
            {at === 0 && mayWrite && (
              <span className={css.tools}>
                <IconButton
                  small
                  label={is_flagged ? 'Remove the flag' : 'Flag'}
                  aria-pressed={is_flagged}
                  className={is_flagged ? css.flagged : undefined}
                  onClick={() => comments.change(thread, { is_flagged: !is_flagged })}
                >
                  <IconFlag size={14} stroke={1.75} />
                </IconButton>
                <IconButton
                  small
                  label={is_resolved ? 'Reopen' : 'Resolve'}
                  onClick={() => comments.change(thread, { is_resolved: !is_resolved })}
                >
                  {is_resolved ? (
                    <IconArrowBackUp size={15} stroke={1.75} />
                  ) : (
                    <IconCircleCheck size={15} stroke={1.75} />
                  )}
                </IconButton>
              </span>
            )}
          </header>
          <div className={css.text}>
            <Markdown text={message.message} />
          </div>
        </div>
      ))}
      {isActive && mayWrite && !is_resolved && (
        <CommentField label="Reply" placeholder="Reply…" onSend={(message) => comments.reply(thread, message)} />
      )}
    </section>
  )
}

interface FieldProps {
  label: string
  placeholder: string
  autoFocus?: boolean
  onSend(message: string): Promise<boolean>
  onCancel?(): void
}

/** Enter sends, Shift and Enter starts a new line. A failed message stays. */
export function CommentField({ label, placeholder, autoFocus, onSend, onCancel }: FieldProps) {
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    if (!text.trim() || isBusy) return
    setBusy(true)
    const done = await onSend(text.trim())
    setBusy(false)
    if (done) setText('')
  }
  return (
    <div className={css.field}>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the field opens on request
        autoFocus={autoFocus ?? false}
        aria-label={label}
        placeholder={placeholder}
        rows={1}
        value={text}
        readOnly={isBusy}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel?.()
          else if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          if (event.key === 'Enter') void send()
        }}
      />
      <Kbd keys="enter" />
    </div>
  )
}
