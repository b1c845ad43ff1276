import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useEffect, useMemo, useRef } from 'react'
import { useStore } from '../../lib/store.ts'
import { failedEdits } from '../edits.ts'
import type { RowGroup } from '../rows.ts'
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
  const { projectId, groups, by, folded, onFold, selected, focusedId, onSelect, onMenu } = props
  const scroller = useRef<HTMLDivElement>(null)
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  const failures = useStore(failedEdits)
  const lines = useMemo(
    () =>
      groups.flatMap((group) => [
        ...(by === 'none' ? [] : [{ group, row: undefined }]),
        ...(folded.has(group.key) ? [] : group.rows.map((row) => ({ group, row }))),
      ]),
    [groups, by, folded],
  )
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]!.row ? (narrow ? NARROW_PX : ROW_PX) : HEAD_PX),
    getItemKey: (index) => lines[index]!.row?.id ?? lines[index]!.group.key,
    overscan: 12,
  })
  useEffect(() => {
    if (narrow !== undefined) virtual.measure()
  }, [narrow, virtual])
  useEffect(() => {
    const index = lines.findIndex(({ row }) => row && row.id === focusedId)
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' })
  }, [focusedId, lines, virtual])

  return (
    <div ref={scroller} className={css.scroller} tabIndex={-1}>
      <div className={css.canvas} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const { group, row } = lines[index]!
          return (
            <div
              key={key}
              ref={narrow ? virtual.measureElement : undefined}
              data-index={index}
              className={css.line}
              style={{ transform: `translateY(${start}px)` }}
            >
              {!row ? (
                <GroupHead group={group} by={by} folded={folded.has(group.key)} onFold={() => onFold(group.key)} />
              ) : narrow ? (
                <NarrowRow row={row} projectId={projectId} />
              ) : (
                <Row
                  row={row}
                  projectId={projectId}
                  selected={selected.has(row.id)}
                  focused={focusedId === row.id}
                  failure={failures.get(row.id)?.message}
                  onSelect={onSelect}
                  onMenu={onMenu}
                />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
