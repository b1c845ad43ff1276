import { useRouteContext } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from '../../lib/store.ts'
import { BatchBar } from '../batch/BatchBar.tsx'
import { useRowMenu } from '../batch/use-row-menu.tsx'
import { useOpenWorkOrder } from '../open-work-order.tsx'
import { type RowGroup, rowsInOrder } from '../rows/rows.ts'
import { selection, toggleSelected } from '../selection.ts'
import { useShortcut } from '../shortcuts.ts'
import type { Group, WorkOrderRow } from '../work-order.ts'
import { WorkOrderTable } from './WorkOrderTable.tsx'

interface Props {
  rows: WorkOrderRow[]
  /** The same rows as the table shows them. */
  groups: { by: Group; all: RowGroup[]; folded: ReadonlySet<string>; fold(key: string): void }
  /** The number of the work order that is open beside the table. */
  openNumber: number | undefined
}

/** The table with its keys: moving, selecting, changing. */
export function TableView({ groups, rows, openNumber }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const open = useOpenWorkOrder(project.id)
  const selected = useStore(selection)
  const [movedId, setFocusedId] = useState<string>()
  const focusedId = openNumber === undefined ? movedId : rows.find((row) => row.work_order_number === openNumber)?.id
  const lastSelected = useRef<string>(undefined)
  const inOrder = useMemo(() => rowsInOrder(groups.all, groups.folded), [groups.all, groups.folded])
  const latest = useRef(inOrder)
  latest.current = inOrder

  // What was open stays marked after it is closed.
  useEffect(() => {
    if (openNumber !== undefined && focusedId) setFocusedId(focusedId)
  }, [openNumber, focusedId])
  const select = useCallback((row: WorkOrderRow, range: boolean) => {
    const ids = latest.current.map(({ id }) => id)
    const from = ids.indexOf(lastSelected.current ?? '')
    const to = ids.indexOf(row.id)
    lastSelected.current = row.id
    if (!range || from < 0) return toggleSelected(row.id)
    selection.set((old) => new Set([...old, ...ids.slice(Math.min(from, to), Math.max(from, to) + 1)]))
  }, [])
  const chosen = useMemo(() => rows.filter(({ id }) => selected.has(id)), [rows, selected])
  const step = (by: number) => {
    const at = inOrder.findIndex(({ id }) => id === focusedId)
    const next = inOrder[at < 0 ? 0 : Math.min(inOrder.length - 1, Math.max(0, at + by))]
    setFocusedId(next?.id)
  }
  const focused = inOrder.find(({ id }) => id === focusedId)
  const targets = chosen.length > 0 ? chosen : focused ? [focused] : []
  const place = () => {
    const line = document.querySelector(`[data-row="${(focused ?? targets[0])?.id}"]`)
    return line?.querySelector('[data-cell="status"]') ?? line
  }
  const { open: openMenu, menu } = useRowMenu(inOrder, () => ({ rows: targets, beside: place() }))
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
  useShortcut('select', focused && (() => select(focused, false)))
  useShortcut('open', focused && (() => open(focused.work_order_number, { asPage: true })))
  useShortcut('open-beside', focused && (() => open(focused.work_order_number)))
  useShortcut(
    'back',
    selected.size > 0 ? () => selection.set(new Set()) : focused ? () => setFocusedId(undefined) : undefined,
  )

  return (
    <>
      <WorkOrderTable
        projectId={project.id}
        groups={groups.all}
        by={groups.by}
        folded={groups.folded}
        onFold={groups.fold}
        selected={selected}
        focusedId={focusedId}
        onSelect={select}
        onMenu={openMenu}
      />
      <BatchBar rows={chosen} projectId={project.id} />
      {menu}
    </>
  )
}
