import type { AnchoredThread } from '@slipway/sdk'
import type { Ref } from 'react'
import { CommentField } from '../../comments/CommentField.tsx'
import { copyText } from '../../lib/copy-text.ts'
import { cx } from '../../lib/cx.ts'
import { useActorName } from '../../people/actor-name.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconArrowBackUp, IconCircleCheck, IconFlag, IconLink } from '../../ui/icons.ts'
import { type Authored, actorOf } from '../author.ts'
import css from './CommentCard.module.css'
import { MessageView } from './MessageView.tsx'
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
const authorOf = (message: AnchoredThread['messages'][number]): Authored => ({
  name: message.created_by_name,
  id: message.created_by_id,
  origin: message.origin,
  via: message.created_via,
})
const SIZE = { size: 15, stroke: 1.75 }

/** A thread of comments. Its field for an answer appears when it is active. */
export function CommentCard({ thread, comments, isActive, mayWrite, quote, cardRef, onActivate }: Props) {
  const { is_resolved, is_flagged, messages, anchor } = thread
  const { name } = useActorName(actorOf(authorOf(messages[0]!)))
  return (
    <section
      ref={cardRef}
      className={cx(css.card, isActive && css.active, is_resolved && css.resolved)}
      aria-label={`Comment by ${name}`}
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
        <MessageView
          key={message.id}
          message={message}
          by={authorOf(message)}
          thread={thread}
          comments={comments}
          mayWrite={mayWrite && isActive}
        >
          {at === 0 && (
            <>
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
            </>
          )}
        </MessageView>
      ))}
      {isActive && mayWrite && !is_resolved && (
        <CommentField
          draft={`reply-${thread.id}`}
          label="Reply"
          placeholder="Reply…"
          onSend={(message) => comments.reply(thread, message)}
        />
      )}
    </section>
  )
}
