import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { IconArrowUp } from '../../ui/icons.ts'
import { loadEarlier, type Transcript as Shown } from '../api.ts'
import { turnsOf } from '../turns.ts'
import css from './Transcript.module.css'
import { TurnView } from './TurnView.tsx'
import type { TurnActions } from './turn-actions.ts'

interface Props {
  shown: Shown
  actions: TurnActions
  showsCalls: boolean
  /** What follows the last turn: what is being sent, and what waits. */
  children: ReactNode
}

/** How near to an end counts as there. */
const NEAR_PX = 60
const EARLY_PX = 400
/** About how high a turn is, until it was drawn. */
const TURN_PX = 180

/**
 * What was said, in order. Only the turns in view are drawn. It follows the end only while that is in view, and reads more
 * at the start.
 */
export function Transcript({ shown, actions, showsCalls, children }: Props) {
  const { id, entries, proposals, before, active_turn } = shown
  const { projectId } = actions
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  /** How far from the end the view was when earlier entries were asked for. */
  const held = useRef<number>(undefined)
  const [isLoading, setLoading] = useState(false)
  const turns = useMemo(() => turnsOf(entries, proposals), [entries, proposals])
  const keyOf = useCallback((index: number) => turns[index]!.key, [turns])
  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => TURN_PX,
    getItemKey: keyOf,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()

  useEffect(() => {
    const follow = () => {
      const { current } = scroller
      if (!current) return
      if (held.current !== undefined) current.scrollTop = current.scrollHeight - held.current
      else if (isAtEnd.current) current.scrollTop = current.scrollHeight
    }
    const observer = new ResizeObserver(follow)
    observer.observe(content.current!)
    observer.observe(scroller.current!)
    return () => observer.disconnect()
  }, [])
  const first = entries[0]?.number
  // biome-ignore lint/correctness/useExhaustiveDependencies: earlier entries have arrived.
  useLayoutEffect(() => {
    const { current } = scroller
    if (held.current === undefined || !current) return
    current.scrollTop = current.scrollHeight - held.current
    // Their heights are known only when they were drawn, so the place is held until then.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        held.current = undefined
      }),
    )
  }, [first])

  const readEarlier = async () => {
    if (before === null || isLoading) return
    setLoading(true)
    const { current } = scroller
    held.current = current ? current.scrollHeight - current.scrollTop : undefined
    await loadEarlier(projectId, id, before).catch(() => {
      held.current = undefined
    })
    setLoading(false)
  }
  const scrolled = () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX
    if (scrollTop < EARLY_PX && !isAtEnd.current) void readEarlier()
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard.
    <div ref={scroller} className={css.scroller} onScroll={scrolled} tabIndex={0} role="log" aria-label="Conversation">
      <div ref={content} className={css.content}>
        {before !== null && (
          <div className={css.earlier}>
            <Button icon={<IconArrowUp size={15} />} busy={isLoading} onClick={() => void readEarlier()}>
              Load earlier
            </Button>
          </div>
        )}
        <div className={css.canvas} style={{ height: virtual.getTotalSize() }}>
          <div className={css.shown} style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
            {items.map(({ index, key }) => (
              <div key={key} ref={virtual.measureElement} data-index={index} className={css.turn}>
                <TurnView
                  turn={turns[index]!}
                  startedAt={index === turns.length - 1 ? active_turn.started_at : null}
                  showsCalls={showsCalls}
                  {...actions}
                />
              </div>
            ))}
          </div>
        </div>
        {children}
      </div>
    </div>
  )
}
