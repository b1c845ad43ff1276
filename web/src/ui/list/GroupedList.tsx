import { useVirtualizer } from '@tanstack/react-virtual'
import {
  Fragment,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react'
import css from './GroupedList.module.css'
import { GridCell, GridRow } from './grid.tsx'
import type { Cursor, ListHandle } from './use-cursor.ts'
import { usePlace } from './use-place.ts'

export interface ListGroup {
  key: string
  rows: { id: string }[]
}

interface Props<G extends ListGroup> {
  /** Names the list to those who do not see it. */
  label: string
  groups: G[]
  /** The keys of the groups whose rows are hidden. */
  folded: ReadonlySet<string>
  cursor: Cursor
  rowPx: number
  headPx: number
  /** Rows are as high as their content. They are links then, not the rows of a grid. */
  isMeasured?: boolean
  /** Rows that come or go above what somebody reads do not move it, unless they read the beginning. */
  keepsPlace?: boolean
  handle: Ref<ListHandle>
  /** Draws the head of a group, or nothing if there are no heads. */
  head: ((group: G) => ReactNode) | undefined
  /** Draws a row. Its element has the id as `data-row`, and in a grid the role `row` and the place as `aria-rowindex`. */
  row(row: G['rows'][number], place: number): ReactNode
  /** Whether somebody reads the beginning of the list. */
  onTop?(isAtTop: boolean): void
  /** The end of the rows comes into view: time to load more of them. */
  onEnd?(): void
  onClick?(event: MouseEvent): void
  onContextMenu?(event: MouseEvent): void
  onPointerOver?(event: PointerEvent): void
}

/**
 * Rows in groups, of which only those in view are drawn. The head of the group that is being read stays in view. The row
 * that the cursor moves to gets the focus, so that it is read out.
 */
export function GroupedList<G extends ListGroup>(props: Props<G>) {
  const {
    label,
    groups,
    folded,
    cursor,
    rowPx,
    headPx,
    isMeasured = false,
    keepsPlace = false,
    head,
    row: drawRow,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const hasHeads = head !== undefined
  const lines = useMemo(
    () =>
      groups.flatMap((group) => [
        ...(hasHeads ? [{ group, row: undefined }] : []),
        ...(folded.has(group.key) ? [] : group.rows.map((row) => ({ group, row }))),
      ]),
    [groups, folded, hasHeads],
  )
  // The same function until the lines change: for a new one, the place of every line is computed again, in each frame.
  const keyOf = useCallback((index: number) => lines[index]!.row?.id ?? lines[index]!.group.key, [lines])
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]!.row ? rowPx : headPx),
    getItemKey: keyOf,
    overscan: 12,
    scrollPaddingStart: hasHeads ? headPx : 0,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes have changed.
  useEffect(() => void virtual.measure(), [rowPx, headPx, virtual])
  const { focusedId } = cursor
  const isKept = usePlace(keepsPlace, scroller, virtual, lines, focusedId)
  useEffect(() => {
    if (isKept()) return
    const index = lines.findIndex(({ row }) => row && row.id === focusedId)
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' })
  }, [focusedId, lines, virtual, isKept])
  const isAtTop = (virtual.scrollOffset ?? 0) < rowPx / 2
  const { onTop } = props
  useEffect(() => {
    onTop?.(isAtTop)
  }, [isAtTop, onTop])
  // The row is drawn some time after the list has scrolled to it.
  useEffect(() => {
    if (!cursor.wantsFocus.current || focusedId === undefined) return
    const element = scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(focusedId)}"]`)
    if (!element) return
    cursor.wantsFocus.current = false
    element.focus({ preventScroll: true })
  })
  useImperativeHandle(props.handle, () => ({
    scrollToTop: () => virtual.scrollToOffset(0),
    idsInView() {
      const top = (virtual.scrollOffset ?? 0) + (hasHeads ? headPx : 0)
      const bottom = (virtual.scrollOffset ?? 0) + (scroller.current?.clientHeight ?? 0)
      return virtual
        .getVirtualItems()
        .filter(({ start, end }) => start >= top - 1 && end <= bottom + 1)
        .flatMap(({ index }) => lines[index]?.row?.id ?? [])
    },
  }))
  const items = virtual.getVirtualItems()
  const isAtEnd = items.at(-1)?.index === lines.length - 1
  const { onEnd } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows may still end in view.
  useEffect(() => {
    if (isAtEnd) onEnd?.()
  }, [isAtEnd, lines.length, onEnd])
  const first = virtual.range?.startIndex ?? 0
  const stuck = hasHeads && lines[first]?.row ? lines[first].group : undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the buttons and links of its rows.
    // biome-ignore lint/a11y/useKeyWithClickEvents: buttons and links turn keys into clicks.
    <div
      ref={scroller}
      className={css.scroller}
      tabIndex={-1}
      {...(!isMeasured && { role: 'grid', 'aria-label': label, 'aria-rowcount': lines.length })}
      onClick={props.onClick}
      onContextMenu={props.onContextMenu}
      onPointerOver={props.onPointerOver}
    >
      {stuck && head && (
        <div className={css.stuck} aria-hidden="true">
          {head(stuck)}
        </div>
      )}
      <div className={css.canvas} style={{ height: virtual.getTotalSize() }}>
        <div className={css.shown} style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map(({ index, key }) => {
            const { group, row } = lines[index]!
            if (isMeasured)
              return (
                <div key={key} ref={virtual.measureElement} data-index={index}>
                  {row ? drawRow(row, index + 1) : head?.(group)}
                </div>
              )
            return row ? (
              <Fragment key={key}>{drawRow(row, index + 1)}</Fragment>
            ) : (
              <GridRow key={key} place={index + 1}>
                <GridCell>{head?.(group)}</GridCell>
              </GridRow>
            )
          })}
        </div>
      </div>
    </div>
  )
}
