import { type MouseEvent, useMemo, useRef, useState } from 'react'
import { PHONE, useWidth } from '../../../lib/breakpoints.ts'
import { useMayWrite } from '../../../lib/may-write.ts'
import { countOf } from '../../../lib/numbers.ts'
import { useStore } from '../../../lib/store.ts'
import { IconArrowUp } from '../../../ui/icons.ts'
import { GroupedList } from '../../../ui/list/GroupedList.tsx'
import type { ListHandle } from '../../../ui/list/use-cursor.ts'
import { useRangeSelection } from '../../../ui/list/use-range-selection.ts'
import { useShortcut } from '../../shortcuts.ts'
import type { InboxItem } from '../api.ts'
import { selectedReports } from '../selection.ts'
import { BatchBar } from './BatchBar.tsx'
import { daysOf } from './days.ts'
import css from './ItemList.module.css'
import { ItemRow } from './ItemRow.tsx'
import { useDueSuggestions } from './use-due-suggestions.ts'

interface Props {
  projectId: string
  /** Undefined while they are loaded. */
  rows: InboxItem[] | undefined
  openNumber: number | undefined
  onOpen(number: number): void
  onEnd(): void
}

const ROW_PX = 76
const HEAD_PX = 31
const NONE: ReadonlySet<string> = new Set()
const SKELETON = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

/** The reports of each day. The keys go through them; what they are at is open. */
export function ItemList({ projectId, rows, openNumber, onOpen, onEnd }: Props) {
  const isPhone = useWidth(PHONE)
  const mayWrite = useMayWrite()
  const selected = useStore(selectedReports.ids)
  const handle = useRef<ListHandle>(null)
  const wantsFocus = useRef(false)
  const all = useMemo(() => rows ?? [], [rows])
  const groups = useMemo(() => daysOf(all), [all])
  const ids = useMemo(() => all.map(({ id }) => id), [all])
  const { select, selectAll } = useRangeSelection(selectedReports, ids)
  const at = all.findIndex(({ number }) => number === openNumber)
  const open = all[at]
  const [isAtTop, setIsAtTop] = useState(true)
  const newCount = useNewRows(all, isAtTop)
  useDueSuggestions(projectId, all, handle)
  const chosen = useMemo(() => all.filter(({ id }) => selected.has(id)), [all, selected])
  const step = (by: number) => {
    const next = all[Math.max(0, Math.min(all.length - 1, at + by))]
    if (!next) return
    wantsFocus.current = true
    onOpen(next.number)
  }
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
  useShortcut('select', mayWrite && open ? () => select(open.id, false) : undefined)
  useShortcut('select-all', mayWrite ? selectAll : undefined)
  useShortcut('back', selected.size > 0 ? selectedReports.clear : undefined)
  const click = (event: MouseEvent) => {
    const target = event.target as Element
    const id = target.closest<HTMLElement>('[data-row]')?.dataset.row
    const row = all.find((one) => one.id === id)
    if (!row) return
    if (target.closest('[data-cell="select"]')) {
      event.preventDefault()
      return select(row.id, event.shiftKey)
    }
    // With a key or another button, the browser opens the address of the link.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    onOpen(row.number)
  }
  if (!rows)
    return (
      <div className={css.skeleton} aria-busy="true">
        {SKELETON.map((key) => (
          <span key={key} />
        ))}
      </div>
    )
  return (
    <>
      {newCount > 0 && (
        <button type="button" className={css.new} onClick={() => handle.current?.scrollToTop()}>
          <IconArrowUp size={14} stroke={1.75} /> {countOf(newCount, 'new report')}
        </button>
      )}
      <GroupedList
        label="Reports"
        keepsPlace
        onTop={setIsAtTop}
        groups={groups}
        folded={NONE}
        cursor={{ focusedId: open?.id, wantsFocus }}
        handle={handle}
        rowPx={ROW_PX}
        headPx={HEAD_PX}
        head={({ name, rows }) => (
          <div className={css.head}>
            <strong>{name}</strong> <span>{rows.length}</span>
          </div>
        )}
        row={(row, place) => (
          <ItemRow
            row={row as InboxItem}
            projectId={projectId}
            place={place}
            isOpen={row.id === open?.id && !isPhone}
            isSelected={selected.has(row.id)}
            isSelecting={selected.size > 0}
            maySelect={mayWrite}
          />
        )}
        onClick={click}
        onEnd={onEnd}
      />
      {mayWrite && <BatchBar projectId={projectId} rows={chosen} />}
    </>
  )
}

/** How many reports came above what somebody reads since they were at the beginning. */
function useNewRows(rows: InboxItem[], isAtTop: boolean): number {
  const newest = rows[0]?.number ?? 0
  const [seen, setSeen] = useState(newest)
  if (isAtTop && seen !== newest) setSeen(newest)
  if (isAtTop || newest <= seen) return 0
  return rows.findIndex(({ number }) => number <= seen)
}
