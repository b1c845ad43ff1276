import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, type PointerEvent, useCallback, useEffect, useMemo, useRef } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { writes } from '../../lib/outbox/index.ts'
import { useStore } from '../../lib/store.ts'
import { fullTimeOf } from '../../lib/time.ts'
import { failedEdits } from '../edits.ts'
import { useOpenWorkOrder } from '../open-work-order.tsx'
import { openPicker } from '../picker.tsx'
import type { Property } from '../properties.tsx'
import type { RowGroup } from '../rows/rows.ts'
import type { Group, WorkOrderRow } from '../work-order.ts'
import { GroupHead } from './GroupHead.tsx'
import { NarrowRow, Row } from './Row.tsx'
import css from './Table.module.css'

export const NARROW = '(max-width: 720px)'
const ROW_PX = 36
const HEAD_PX = 34
const NARROW_PX = 65

interface Props {
  projectId: string
  groups: RowGroup[]
  by: Group
  folded: ReadonlySet<string>
  onFold(key: string): void
  selected: ReadonlySet<string>
  focusedId: string | undefined
  onSelect(row: WorkOrderRow, range: boolean): void
  onMenu(row: WorkOrderRow, event: MouseEvent): void
}

/** Draws only the rows in view. */
export function WorkOrderTable(props: Props) {
  const mayWrite = useMayWrite()
  const { projectId, groups, by, folded, onFold, selected, focusedId, onSelect, onMenu } = props
  const scroller = useRef<HTMLDivElement>(null)
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  const failures = useStore(failedEdits)
  const waiting = useStore(writes)
  const unsaved = useMemo(() => new Set(waiting.flatMap(({ subjects }) => subjects)), [waiting])
  const open = useOpenWorkOrder(projectId)
  const lines = useMemo(
    () =>
      groups.flatMap((group) => [
        ...(by === 'none' ? [] : [{ group, row: undefined }]),
        ...(folded.has(group.key) ? [] : group.rows.map((row) => ({ group, row }))),
      ]),
    [groups, by, folded],
  )
  // The same function until the lines change: for a new one, the place of every line is computed again, in each frame.
  const keyOf = useCallback((index: number) => lines[index]!.row?.id ?? lines[index]!.group.key, [lines])
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]!.row ? (narrow ? NARROW_PX : ROW_PX) : HEAD_PX),
    getItemKey: keyOf,
    overscan: 12,
  })
  useEffect(() => {
    if (narrow !== undefined) virtual.measure()
  }, [narrow, virtual])
  useEffect(() => {
    const index = lines.findIndex(({ row }) => row && row.id === focusedId)
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' })
  }, [focusedId, lines, virtual])

  const rowAt = (target: EventTarget) => {
    const id = (target as Element).closest<HTMLElement>('[data-row]')?.dataset.row
    return id === undefined ? undefined : lines.find(({ row }) => row?.id === id)?.row
  }
  const click = (event: MouseEvent) => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-cell]')
    const row = rowAt(event.target)
    if (!cell || !row) return
    const name = cell.dataset.cell as Property | 'select' | 'title'
    if (name === 'select') return onSelect(row, event.shiftKey)
    if (name !== 'title') return openPicker(name, [row], cell)
    // With a key or another button, the browser opens the address of the link.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    open(row.work_order_number)
  }
  const items = virtual.getVirtualItems()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the buttons and links of its rows.
    // biome-ignore lint/a11y/useKeyWithClickEvents: buttons and links turn keys into clicks.
    <div
      ref={scroller}
      className={css.scroller}
      tabIndex={-1}
      onClick={click}
      onContextMenu={(event) => {
        const row = rowAt(event.target)
        if (row && !narrow) onMenu(row, event)
      }}
      onPointerOver={nameTime}
    >
      <div className={css.canvas} style={{ height: virtual.getTotalSize() }}>
        <div className={css.shown} style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map(({ index, key }) => {
            const { group, row } = lines[index]!
            const head = !row && (
              <GroupHead key={key} group={group} by={by} folded={folded.has(group.key)} onFold={onFold} />
            )
            if (narrow)
              return (
                <div key={key} ref={virtual.measureElement} data-index={index}>
                  {row ? <NarrowRow row={row} projectId={projectId} /> : head}
                </div>
              )
            return row ? (
              <Row
                key={key}
                row={row}
                projectId={projectId}
                selected={selected.has(row.id)}
                focused={focusedId === row.id}
                failed={failures.has(row.id)}
                unsaved={unsaved.has(row.id)}
                mayWrite={mayWrite}
              />
            ) : (
              head
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** The exact time of a row, once somebody points at it: writing it for every row takes longer than the row. */
function nameTime({ target }: PointerEvent): void {
  if (target instanceof HTMLTimeElement && !target.title) target.title = fullTimeOf(target.dateTime)
}
