import { type CSSProperties, type MouseEvent, type PointerEvent, type Ref, useMemo } from 'react'
import { PHONE, useWidth } from '../../lib/breakpoints.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { writes } from '../../lib/outbox/index.ts'
import { useStore } from '../../lib/store.ts'
import { useTicking } from '../../lib/ticks.ts'
import { fullTimeOf } from '../../lib/time.ts'
import { GroupedList } from '../../ui/list/GroupedList.tsx'
import type { Cursor, ListHandle } from '../../ui/list/use-cursor.ts'
import { failedEdits } from '../edits.ts'
import { useOpenWorkOrder } from '../open-work-order.tsx'
import { openProperty } from '../picker.tsx'
import type { Property } from '../properties.tsx'
import type { RowGroup } from '../rows/rows.ts'
import type { Group, WorkOrderRow } from '../work-order.ts'
import { GroupHead } from './GroupHead.tsx'
import { NarrowRow, Row } from './Row.tsx'
import css from './Table.module.css'

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
  cursor: Cursor
  handle: Ref<ListHandle>
  onSelect(row: WorkOrderRow, range: boolean): void
  onMenu(row: WorkOrderRow, event: MouseEvent): void
}

/** The longest number, so that titles stand below each other. */
const digitsOf = (groups: RowGroup[]) => {
  let most = 0
  for (const { rows } of groups) for (const { work_order_number } of rows) most = Math.max(most, work_order_number)
  return String(most).length
}

export function WorkOrderTable(props: Props) {
  const mayWrite = useMayWrite()
  const { projectId, groups, by, folded, onFold, selected, cursor, onSelect, onMenu } = props
  const narrow = useWidth(PHONE)
  const failures = useStore(failedEdits)
  const waiting = useStore(writes)
  const unsaved = useMemo(() => new Set(waiting.flatMap(({ subjects }) => subjects)), [waiting])
  const open = useOpenWorkOrder(projectId)
  const today = useTicking(() => new Date().setHours(0, 0, 0, 0))
  const digits = useMemo(() => digitsOf(groups), [groups])

  const rowAt = (target: EventTarget) => {
    const id = (target as Element).closest<HTMLElement>('[data-row]')?.dataset.row
    if (id === undefined) return undefined
    for (const { rows } of groups) {
      const row = rows.find((one) => one.id === id)
      if (row) return row
    }
    return undefined
  }
  const click = (event: MouseEvent) => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-cell]')
    const row = rowAt(event.target)
    if (!cell || !row) return
    const name = cell.dataset.cell as Property | 'select' | 'title' | 'menu'
    if (name === 'menu') return onMenu(row, event)
    if (name === 'select') {
      event.preventDefault()
      return onSelect(row, event.shiftKey)
    }
    if (name !== 'title') return openProperty(name, [row], cell)
    // With a key or another button, the browser opens the address of the link.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    open(row.work_order_number)
  }
  return (
    <div className={css.table} style={{ '--digits': digits } as CSSProperties}>
      <GroupedList
        label="Work orders"
        groups={groups}
        folded={folded}
        cursor={cursor}
        handle={props.handle}
        rowPx={narrow ? NARROW_PX : ROW_PX}
        headPx={HEAD_PX}
        isMeasured={narrow}
        head={
          by === 'none'
            ? undefined
            : (group) => <GroupHead group={group} by={by} folded={folded.has(group.key)} onFold={onFold} />
        }
        row={(row, place) =>
          narrow ? (
            <NarrowRow row={row} projectId={projectId} selected={selected.has(row.id)} selecting={selected.size > 0} />
          ) : (
            <Row
              row={row}
              projectId={projectId}
              selected={selected.has(row.id)}
              focused={cursor.focusedId === row.id}
              failed={failures.has(row.id)}
              unsaved={unsaved.has(row.id)}
              mayWrite={mayWrite}
              today={today}
              place={place}
            />
          )
        }
        onClick={click}
        onContextMenu={(event) => {
          const row = rowAt(event.target)
          if (row) onMenu(row, event)
        }}
        onPointerOver={nameTime}
      />
    </div>
  )
}

/** The exact time of a row, once somebody points at it: writing it for every row takes longer than the row. */
function nameTime({ target }: PointerEvent): void {
  if (target instanceof HTMLTimeElement && !target.title) target.title = fullTimeOf(target.dateTime)
}
