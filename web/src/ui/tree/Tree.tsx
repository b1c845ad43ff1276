import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useEffect, useMemo, useState } from 'react'
import { useStable } from '../../lib/use-stable.ts'
import css from './Tree.module.css'
import { pressInTree, type TreeActions } from './tree-keys.ts'
import type { DropZone, LineState, TreeRow } from './tree-row.ts'
import { useRowSizes } from './use-row-sizes.ts'

const OPEN_MS = 600

interface Props<Row extends TreeRow> {
  label: string
  rows: Row[]
  /** The id of the line that is open beside the tree. */
  current: string | undefined
  /** The id of a line that must be visible. */
  shown: string | undefined
  /** Whether it may be renamed, moved and deleted. */
  mayChange(row: Row): boolean
  on: TreeActions & {
    /** Shows what is below a line that something is held over. */
    unfold(id: string): void
    drop(id: string, at: DropZone): void
    /** Takes what is dragged here from elsewhere. */
    take?(at: DropZone): void
  }
  /** Something is dragged elsewhere on the page that the tree takes. */
  takes?: boolean
  /** What has just been done, for those who do not see it. */
  said: string
  /** Gets the focus. */
  scroller: RefObject<HTMLDivElement | null>
  children(row: Row, line: LineState): ReactNode
}

/** Lines below each other that can be opened, moved and dragged. It works with the pointer, and with the keys of a tree. */
export function Tree<Row extends TreeRow>(props: Props<Row>) {
  const { label, rows, current, shown, mayChange, on, takes = false, said, scroller, children } = props
  const [focused, setFocused] = useState<string>()
  const [dragged, setDragged] = useState<string>()
  const [zone, setZone] = useState<DropZone>()
  const sizes = useRowSizes()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (rows[at]?.type === 'group' ? sizes.groupPx : sizes.rowPx),
    getItemKey: useCallback((at: number) => rows[at]!.id, [rows]),
    overscan: 8,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes have changed.
  useEffect(() => void virtual.measure(), [sizes, virtual])

  const shownAt = useMemo(() => rows.findIndex(({ id }) => id === shown), [rows, shown])
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another line becomes the current one
  useEffect(() => {
    if (shownAt >= 0) virtual.scrollToIndex(shownAt, { align: 'auto' })
  }, [shown, shownAt >= 0])

  const stable = useStable({ unfold: on.unfold })
  // Whoever holds something over a closed line for a moment wants to see what is in it.
  useEffect(() => {
    if (zone?.where !== 'inside') return
    const timer = setTimeout(() => stable.unfold(zone.id), OPEN_MS)
    return () => clearTimeout(timer)
  }, [zone?.id, zone?.where, stable])

  const end = () => {
    setDragged(undefined)
    setZone(undefined)
  }
  const drag = useStable({
    start: setDragged,
    end,
    /** Browsers repeat this all the time while something is held over a line. */
    over: (at: DropZone) => setZone((old) => (old?.id === at.id && old.where === at.where ? old : at)),
    drop(at: DropZone) {
      if (dragged) on.drop(dragged, at)
      else if (takes) on.take?.(at)
      end()
    },
  })

  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const at = rows.findIndex(({ id }) => id === (focused ?? current))
    const used = pressInTree(event, {
      rows,
      at,
      mayChange: rows[at] !== undefined && mayChange(rows[at]),
      focus(next) {
        setFocused(rows[next]!.id)
        virtual.scrollToIndex(next, { align: 'auto' })
      },
      on,
    })
    if (!used) return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <>
      <div
        ref={scroller}
        className={css.tree}
        role="tree"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={focused && `node-${focused}`}
        data-own-keys
        onKeyDown={press}
        onFocus={(event) => event.target === event.currentTarget && setFocused((old) => old ?? current ?? rows[0]?.id)}
        onBlur={(event) => event.target === event.currentTarget && setFocused(undefined)}
      >
        <div className={css.rows} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const row = rows[index]!
            return (
              <div key={row.id} className={css.row} style={{ transform: `translateY(${start}px)`, height: size }}>
                {children(row, {
                  isCurrent: row.id === current,
                  isFocused: row.id === focused,
                  isDragged: row.id === dragged,
                  dragging: dragged !== undefined || takes,
                  zone: zone?.id === row.id ? zone.where : undefined,
                  drag,
                })}
              </div>
            )
          })}
        </div>
      </div>
      <p className="sr-only" role="status">
        {said}
      </p>
    </>
  )
}
