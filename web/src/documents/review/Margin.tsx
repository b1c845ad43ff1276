import type { AnchoredThread } from '@slipway/sdk'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { anchorOf, changeAnchors, draftOf, placeOfThread } from '../../editor/anchors.ts'
import type { Editor } from '../../editor/create-editor.ts'
import { useStore } from '../../lib/store.ts'
import { useShortcut } from '../shortcuts.ts'
import { CommentCard } from './CommentCard.tsx'
import { DraftCard } from './DraftCard.tsx'
import css from './Margin.module.css'
import { type Proposal, rangeOf } from './proposals.ts'
import { SuggestionCard } from './SuggestionCard.tsx'
import { stack } from './stack.ts'
import type { Comments } from './use-comments.ts'
import type { Review } from './use-review.ts'

interface Props {
  editor: Editor
  scroller: HTMLElement | null
  review: Review
  comments: Comments
  mayWrite: boolean
  activeThread: string | undefined
  onThread(id: string | undefined): void
}

interface Card {
  key: string
  /** Where it belongs in the text. Undefined for what is about the whole document. */
  pos: number | undefined
  isActive: boolean
  body: ReactNode
}

/** The cards beside the text, each at its mark. */
export function Margin({ editor, scroller, review, comments, mayWrite, activeThread, onThread }: Props) {
  const { proposals, active, activate, decide } = review
  useCardKeys(review, mayWrite)
  const place = useRef<HTMLDivElement>(null)
  const cards = useRef(new Map<string, HTMLElement>())
  const [tops, setTops] = useState<ReadonlyMap<string, number>>(new Map())
  const isCommenting = useStore(editor.commenting)
  const keep = (key: string) => (card: HTMLElement | null) => {
    if (card) cards.current.set(key, card)
    else cards.current.delete(key)
  }
  const byAuthor = Map.groupBy(
    proposals.filter(({ isMine }) => !isMine),
    ({ by }) => by,
  )
  const explain = (proposal: Proposal, message: string) => {
    const { state } = editor.view
    return comments.start(message, anchorOf(state, rangeOf(proposal, state.doc.content.size)))
  }
  const shown: Card[] = [
    ...comments.threads.filter((one) => !one.is_resolved).map((thread) => threadCard(thread)),
    ...proposals.map((one) => suggestionCard(one)),
  ]
  if (isCommenting)
    shown.push({
      key: 'draft',
      pos: draftOf(editor.view.state)?.from,
      isActive: true,
      body: <DraftCard editor={editor} comments={comments} cardRef={keep('draft')} />,
    })
  shown.sort((a, b) => (a.pos ?? -1) - (b.pos ?? -1))

  function threadCard(thread: AnchoredThread): Card {
    const pos = placeOfThread(editor.view.state, thread.id)?.from
    return {
      key: thread.id,
      pos,
      isActive: thread.id === activeThread,
      body: (
        <CommentCard
          thread={thread}
          comments={comments}
          isActive={thread.id === activeThread}
          mayWrite={mayWrite}
          quote={thread.anchor && pos === undefined ? 'gone' : undefined}
          cardRef={keep(thread.id)}
          onActivate={() => onThread(thread.id)}
        />
      ),
    }
  }

  function suggestionCard(one: Proposal): Card {
    const all = byAuthor.get(one.by)
    return {
      key: one.id,
      pos: one.from,
      isActive: one === active,
      body: (
        <SuggestionCard
          proposal={one}
          isActive={one === active}
          mayWrite={mayWrite}
          all={all && all.length > 1 ? all : undefined}
          offersAll={all?.[0] === one}
          cardRef={keep(one.id)}
          onActivate={() => activate(one.id)}
          onDecide={decide}
          onExplain={explain}
          onComment={() => commentOn(editor, one)}
        />
      ),
    }
  }

  const arrange = () => {
    if (shown.length === 0) return
    const box = place.current?.getBoundingClientRect()
    if (!box || box.width === 0) return
    const { view } = editor
    const slots = shown.map(({ key, pos }) => ({
      wanted: pos === undefined ? 0 : topOf(view, pos) - box.top - 14,
      height: cards.current.get(key)?.offsetHeight ?? 0,
    }))
    const next = stack(
      slots,
      shown.findIndex(({ isActive }) => isActive),
    )
    setTops((before) => {
      const isSame =
        before.size === shown.length &&
        shown.every(({ key }, at) => Math.abs((before.get(key) ?? -1e6) - next[at]!) < 1)
      return isSame ? before : new Map(shown.map(({ key }, at) => [key, next[at]!]))
    })
  }
  const latest = useRef(arrange)
  latest.current = arrange
  const names = shown.map(({ key, isActive }) => (isActive ? `${key}!` : key)).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cards, the active one and their sizes decide where all stand
  useLayoutEffect(() => {
    latest.current()
    const sizes = new ResizeObserver(() => latest.current())
    for (const card of cards.current.values()) sizes.observe(card)
    return () => sizes.disconnect()
  }, [names])
  useArranging(editor, scroller, latest)
  useMarked(editor, active?.from, active?.id)
  useEffect(() => {
    const card = active && cards.current.get(active.id)
    if (card?.offsetParent && review.takesFocus()) card.focus({ preventScroll: true })
  })

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the cards in it
    <div ref={place} className={css.margin} onKeyDown={(event) => undoByKey(event, editor)}>
      {shown.map(({ key, isActive, body }) => {
        const style: CSSProperties = { transform: `translateY(${tops.get(key) ?? 0}px)` }
        return (
          <div key={key} className={css.slot} style={style} data-active={isActive || undefined}>
            {body}
          </div>
        )
      })}
    </div>
  )
}

/** Letters act only while a card has the focus: everywhere else people believe that they write. */
export function useCardKeys({ proposals, active, step, decide }: Review, mayWrite: boolean): void {
  const onCard = (run: (() => void) | undefined) =>
    run && (() => (document.activeElement?.matches('[data-suggestion-card]') ? run() : false))
  useShortcut('next', onCard(proposals.length > 0 ? () => step(1) : undefined))
  useShortcut('previous', onCard(proposals.length > 0 ? () => step(-1) : undefined))
  useShortcut('accept', onCard(active && mayWrite && !active.isMine ? () => decide([active], 'accept') : undefined))
  useShortcut('reject', onCard(active && mayWrite ? () => decide([active], 'reject') : undefined))
}

/** Ctrl or ⌘ with Z on a card takes back the last decision, as in the text. */
export function undoByKey(event: KeyboardEvent, editor: Editor): void {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z'
  if (!isUndo || (event.target as HTMLElement).matches('textarea, input')) return
  event.preventDefault()
  editor.undo()
}

/** Begins a comment about a suggestion. */
export function commentOn(editor: Editor, proposal: Proposal): void {
  changeAnchors(editor.view, { draft: rangeOf(proposal, editor.view.state.doc.content.size) })
  editor.commenting.set(true)
}

function topOf(view: Editor['view'], pos: number): number {
  const end = view.state.doc.content.size
  return view.coordsAtPos(Math.min(pos, end)).top
}

/** Arranges the cards again when the text, its place or the size of the page changes. */
function useArranging(editor: Editor, scroller: HTMLElement | null, arrange: { current: () => void }): void {
  useEffect(() => {
    let frame = 0
    const soon = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        if (!editor.view.isDestroyed) arrange.current()
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
  }, [editor, scroller, arrange])
}

/** Brings what the active card is about into view. */
export function useMarked(editor: Editor | undefined, pos: number | undefined, key: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another card scrolls, not a place that moves
  useEffect(() => {
    if (!editor || key === undefined || pos === undefined) return
    const { node } = editor.view.domAtPos(Math.min(pos, editor.view.state.doc.content.size))
    const element = node instanceof HTMLElement ? node : node.parentElement
    const box = element?.getBoundingClientRect()
    if (box && (box.top < 110 || box.bottom > innerHeight - 120)) element!.scrollIntoView({ block: 'center' })
  }, [editor, key])
}
