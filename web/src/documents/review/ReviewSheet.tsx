import { useEffect, useRef } from 'react'
import { placeOfThread } from '../../editor/anchors.ts'
import type { Editor } from '../../editor/create-editor.ts'
import { useWidth, WITHOUT_MARGIN } from '../../lib/breakpoints.ts'
import { useStore } from '../../lib/store.ts'
import { momentOf } from '../../lib/time.ts'
import { ActorMark } from '../../people/ActorMark.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconArrowBackUp, IconCheck, IconChevronRight, IconMessage2, IconX } from '../../ui/icons.ts'
import { actorOf } from '../author.ts'
import { CommentCard } from './CommentCard.tsx'
import { DraftCard } from './DraftCard.tsx'
import css from './Margin.module.css'
import { commentOn, undoByKey } from './Margin.tsx'
import type { Proposal } from './proposals.ts'
import { Proposed } from './SuggestionCard.tsx'
import type { Comments } from './use-comments.ts'
import type { Review } from './use-review.ts'

interface Props {
  editor: Editor
  review: Review
  comments: Comments
  mayWrite: boolean
  activeThread: string | undefined
  onThread(id: string | undefined): void
}

/** On a narrow screen, one card at the bottom. */
export function ReviewSheet({ editor, review, comments, mayWrite, activeThread, onThread }: Props) {
  const isCommenting = useStore(editor.commenting)
  const isNarrow = useWidth(WITHOUT_MARGIN)
  const thread = comments.threads.find(({ id, is_resolved }) => id === activeThread && !is_resolved)
  if (!isNarrow) return null
  if (isCommenting)
    return (
      <section className={css.sheet} aria-label="New comment">
        <DraftCard editor={editor} comments={comments} />
      </section>
    )
  if (thread)
    return (
      <section className={css.sheet} aria-label="Comment">
        <header className={css.sheetHead}>
          Comment
          <span className={css.grow} />
          <IconButton label="Close" onClick={() => onThread(undefined)}>
            <IconX size={16} />
          </IconButton>
        </header>
        <CommentCard
          thread={thread}
          comments={comments}
          isActive
          mayWrite={mayWrite}
          quote={placeOfThread(editor.view.state, thread.id) ? 'here' : 'gone'}
          onActivate={() => undefined}
        />
      </section>
    )
  return (
    <SuggestionSheet
      editor={editor}
      review={review}
      mayWrite={mayWrite}
      onComment={(proposal) => commentOn(editor, proposal)}
    />
  )
}

interface SheetProps {
  editor: Editor
  review: Review
  mayWrite: boolean
  onComment(proposal: Proposal): void
}

function SuggestionSheet({ editor, review, mayWrite, onComment }: SheetProps) {
  const { proposals, active, activate, step, decide } = review
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (card.current && review.takesFocus()) card.current.focus()
  })
  if (!active) return null
  return (
    <section
      ref={card}
      className={css.sheet}
      aria-label={`Suggestion by ${active.by}`}
      data-suggestion-card
      tabIndex={-1}
      onKeyDown={(event) => undoByKey(event, editor)}
    >
      <header className={css.sheetHead}>
        <ActorMark actor={actorOf(active.author)} />
        <strong>{active.isMine ? 'You' : active.by}</strong> {active.isMine ? 'suggest' : 'suggests'} ·{' '}
        {momentOf(active.at)}
        <span className={css.grow} />
        {proposals.indexOf(active) + 1} of {proposals.length}
        <IconButton label="Close" onClick={() => activate(undefined)}>
          <IconX size={16} />
        </IconButton>
      </header>
      <Proposed proposal={active} />
      <div className={css.sheetActions}>
        {mayWrite && active.isMine && (
          <Button className={css.wide} icon={<IconArrowBackUp size={17} />} onClick={() => decide([active], 'reject')}>
            Withdraw
          </Button>
        )}
        {mayWrite && !active.isMine && (
          <>
            <Button
              look="primary"
              className={css.wide}
              icon={<IconCheck size={17} />}
              onClick={() => decide([active], 'accept')}
            >
              Accept
            </Button>
            <Button className={css.wide} icon={<IconX size={17} />} onClick={() => decide([active], 'reject')}>
              Reject
            </Button>
          </>
        )}
        {mayWrite && (
          <IconButton label="Comment on the suggestion" className={css.next} onClick={() => onComment(active)}>
            <IconMessage2 size={18} />
          </IconButton>
        )}
        <IconButton label="Next suggestion" className={css.next} onClick={() => step(1)}>
          <IconChevronRight size={18} />
        </IconButton>
      </div>
    </section>
  )
}
