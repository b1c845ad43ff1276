import type { AnchoredThread } from '@slipway/sdk'
import type { Ref } from 'react'
import { cx } from '../../lib/cx.ts'
import { Markdown } from '../../lib/markdown.tsx'
import { fullTimeOf, momentOf } from '../../lib/time.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconArrowBackUp, IconCircleCheck, IconFlag, IconLink } from '../../ui/icons.ts'
import { copyText } from '../../work-orders/copy-for-agent.ts'
import { AuthorMark } from './Author.tsx'
import css from './CommentCard.module.css'
import { CommentField } from './CommentField.tsx'
import type { Comments } from './use-comments.ts'

interface Props {
  thread: AnchoredThread
  comments: Comments
  isActive: boolean
  mayWrite: boolean
  /** Shows the words that the thread is about, where they are not beside it. `gone` if the text has them no more. */
  quote?: 'here' | 'gone' | undefined
  cardRef?: Ref<HTMLElement>
  onActivate(): void
}

const linkTo = (thread: AnchoredThread) => `${location.origin}${location.pathname}?comment=${thread.id}`
const SIZE = { size: 15, stroke: 1.75 }

/** A thread of comments. Its field for an answer appears when it is active. */
export function CommentCard({ thread, comments, isActive, mayWrite, quote, cardRef, onActivate }: Props) {
  const { is_resolved, is_flagged, messages, anchor } = thread
  return (
    <section
      ref={cardRef}
      className={cx(css.card, isActive && css.active, is_resolved && css.resolved)}
      aria-label={`Comment by ${messages[0]?.created_by_name}`}
      aria-current={isActive || undefined}
      data-thread-card={thread.id}
      onClick={onActivate}
      onFocus={onActivate}
      onKeyDown={(event) => event.key === 'Enter' && event.target === event.currentTarget && onActivate()}
    >
      {anchor && quote && (
        <blockquote className={css.quote} data-gone={quote === 'gone' || undefined}>
          {anchor.quote}
          {quote === 'gone' && <span>These words are no longer in the text.</span>}
        </blockquote>
      )}
      {messages.map((message, at) => (
        <div key={message.id} className={css.message}>
          <header className={css.head}>
            <AuthorMark name={message.created_by_name} />
            <strong>{message.created_by_name}</strong>
            <time dateTime={message.created_at} title={fullTimeOf(message.created_at)}>
              {momentOf(message.created_at)}
            </time>
            {at === 0 && (
              <span className={css.tools}>
                {isActive && (
                  <IconButton small label="Copy link" onClick={() => void copyText(linkTo(thread), 'Link copied')}>
                    <IconLink {...SIZE} />
                  </IconButton>
                )}
                {mayWrite && (
                  <>
                    <IconButton
                      small
                      label={is_flagged ? 'Remove the flag' : 'Flag'}
                      aria-pressed={is_flagged}
                      className={is_flagged ? css.flagged : undefined}
                      onClick={() => comments.change(thread, { is_flagged: !is_flagged })}
                    >
                      <IconFlag {...SIZE} />
                    </IconButton>
                    <IconButton
                      small
                      label={is_resolved ? 'Reopen' : 'Resolve'}
                      onClick={() => comments.change(thread, { is_resolved: !is_resolved })}
                    >
                      {is_resolved ? <IconArrowBackUp {...SIZE} /> : <IconCircleCheck {...SIZE} />}
                    </IconButton>
                  </>
                )}
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
