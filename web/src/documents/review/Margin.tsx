import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useShortcut } from '../../app/shortcuts.ts'
import { momentOf } from '../../lib/time.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconCheck, IconChevronRight, IconX } from '../../ui/icons.ts'
import type { Editor } from '../editor/create-editor.ts'
import { CommentCard } from './CommentCard.tsx'
import css from './Margin.module.css'
import { NamedAvatar } from './NamedAvatar.tsx'
import type { Proposal } from './proposals.ts'
import { Proposed, SuggestionCard } from './SuggestionCard.tsx'
import { stack } from './stack.ts'
import type { Comments } from './use-comments.ts'
import type { Review } from './use-review.ts'

interface Props {
  editor: Editor
  scroller: HTMLElement | null
  review: Review
  comments: Comments
  mayWrite: boolean
}

const marksOf = (editor: Editor, { changeIds }: Proposal) =>
  changeIds.flatMap((id) => [...editor.view.dom.querySelectorAll<HTMLElement>(`[data-change="${id}"]`)])

/** The cards beside the text, each at its mark. */
export function Margin({ editor, scroller, review, comments, mayWrite }: Props) {
  const { proposals, active, activate, step, decide } = review
  const place = useRef<HTMLDivElement>(null)
  const cards = useRef(new Map<string, HTMLElement>())
  const [tops, setTops] = useState<number[]>([])
  const [openThread, setOpenThread] = useState<string>()
  // Comments are about the whole document, so they stand at its top.
  const threads = comments.threads.filter((one) => !one.is_resolved)
  const first = threads.length
  useShortcut('next', proposals.length > 0 ? () => step(1) : undefined)
  useShortcut('previous', proposals.length > 0 ? () => step(-1) : undefined)
  useShortcut('accept', active && mayWrite ? () => decide([active], 'accept') : undefined)
  useShortcut('reject', active && mayWrite ? () => decide([active], 'reject') : undefined)

  const arrange = () => {
    const box = place.current?.getBoundingClientRect()
    if (!box || box.width === 0) return
    const heightOf = (id: string) => cards.current.get(id)?.offsetHeight ?? 0
    const talks = threads.map(({ id }) => ({ wanted: 0, height: heightOf(id) }))
    const changes = proposals.map((one) => {
      const [mark] = marksOf(editor, one)
      return {
        wanted: mark ? mark.getBoundingClientRect().top - box.top - 14 : 0,
        height: heightOf(one.id),
      }
    })
    const next = stack([...talks, ...changes], active ? first + proposals.indexOf(active) : -1)
    setTops((before) =>
      before.length === next.length && before.every((top, at) => Math.abs(top - next[at]!) < 1) ? before : next,
    )
  }
  const latest = useRef(arrange)
  latest.current = arrange
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cards and the active one decide where all stand
  useLayoutEffect(() => latest.current(), [proposals, comments.threads, openThread, active?.id])
  useEffect(() => {
    let frame = 0
    const soon = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        latest.current()
      })
    }
    const stop = editor.revision.subscribe(soon)
    scroller?.addEventListener('scroll', soon, { passive: true })
    addEventListener('resize', soon)
    return () => {
      cancelAnimationFrame(frame)
      stop()
      scroller?.removeEventListener('scroll', soon)
      removeEventListener('resize', soon)
    }
  }, [editor, scroller])

  useMarked(editor, active)

  const keep = (id: string) => (card: HTMLElement | null) => {
    if (card) cards.current.set(id, card)
    else cards.current.delete(id)
  }
  const byAuthor = Map.groupBy(proposals, ({ by }) => by)
  return (
    <div ref={place} className={css.margin}>
      {threads.map((thread, at) => (
        <div key={thread.id} className={css.slot} style={{ transform: `translateY(${tops[at] ?? 0}px)` }}>
          <CommentCard
            thread={thread}
            comments={comments}
            isActive={thread.id === openThread}
            mayWrite={mayWrite}
            cardRef={keep(thread.id)}
            onActivate={() => {
              setOpenThread(thread.id)
              activate(undefined)
            }}
          />
        </div>
      ))}
      {proposals.map((one, at) => {
        const all = byAuthor.get(one.by)!
        const style: CSSProperties = { transform: `translateY(${tops[first + at] ?? 0}px)` }
        return (
          <div key={one.id} className={css.slot} style={style} data-active={one === active || undefined}>
            <SuggestionCard
              proposal={one}
              isActive={one === active}
              mayWrite={mayWrite}
              all={all.length > 1 && all[0] === one ? all : undefined}
              cardRef={keep(one.id)}
              onActivate={() => activate(one.id)}
              onDecide={decide}
            />
          </div>
        )
      })}
    </div>
  )
}

/** Shows which mark the active card belongs to, and brings it into view. */
function useMarked(editor: Editor, active: Proposal | undefined): void {
  const key = active?.changeIds.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids say which card it is
  useEffect(() => {
    if (!active) return
    const [first] = marksOf(editor, active)
    const box = first?.getBoundingClientRect()
    if (box && (box.top < 110 || box.bottom > innerHeight - 120)) first!.scrollIntoView({ block: 'center' })
  }, [editor, key])
}

/** On a narrow screen, one card at the bottom. */
export function ReviewSheet({ review, mayWrite }: { review: Review; mayWrite: boolean }) {
  const { proposals, active, activate, step, decide } = review
  if (!active) return null
  return (
    <section className={css.sheet} aria-label={`Suggestion by ${active.by}`}>
      <header className={css.sheetHead}>
        <NamedAvatar name={active.by} />
        <strong>{active.by}</strong> suggests · {momentOf(active.at)}
        <span className={css.grow} />
        {proposals.indexOf(active) + 1} of {proposals.length}
        <IconButton label="Close" onClick={() => activate(undefined)}>
          <IconX size={16} />
        </IconButton>
      </header>
      <Proposed proposal={active} />
      <div className={css.sheetActions}>
        {mayWrite && (
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
        <IconButton label="Next suggestion" className={css.next} onClick={() => step(1)}>
          <IconChevronRight size={18} />
        </IconButton>
      </div>
    </section>
  )
}
