import { useRouteContext } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { useStore } from '../../lib/store.ts'
import { type ListHandle, useCursor } from '../../ui/list/use-cursor.ts'
import { useRangeSelection } from '../../ui/list/use-range-selection.ts'
import { BatchBar } from '../batch/BatchBar.tsx'
import { useRowMenu } from '../batch/use-row-menu.tsx'
import { useOpenWorkOrder } from '../open-work-order.tsx'
import { type RowGroup, rowsInOrder } from '../rows/rows.ts'
import { clearSelection, selected as selectedRows, selection } from '../selection.ts'
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
  const list = useRef<ListHandle>(null)
  const inOrder = useMemo(() => rowsInOrder(groups.all, groups.folded), [groups.all, groups.folded])
  const ids = useMemo(() => inOrder.map(({ id }) => id), [inOrder])
  const openId = openNumber === undefined ? undefined : rows.find((row) => row.work_order_number === openNumber)?.id
  const { step, clear, ...cursor } = useCursor(ids, { openId, list })
  const { select, selectAll } = useRangeSelection(selectedRows, ids)
  const chosen = useMemo(() => rows.filter(({ id }) => selected.has(id)), [rows, selected])
  const focused = inOrder.find(({ id }) => id === cursor.focusedId)
  const targets = chosen.length > 0 ? chosen : focused ? [focused] : []
  const place = () => {
    const line = document.querySelector(`[data-row="${(focused ?? targets[0])?.id}"]`)
    return line?.querySelector('[data-cell="status"]') ?? line
  }
  const { open: openMenu, menu } = useRowMenu(inOrder, () => ({ rows: targets, beside: place() }))
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
  useShortcut('select', focused && (() => select(focused.id, false)))
  useShortcut('select-all', selectAll)
  useShortcut('open', focused && (() => open(focused.work_order_number, { asPage: true })))
  useShortcut('open-beside', focused && (() => open(focused.work_order_number)))
  useShortcut('back', selected.size > 0 ? clearSelection : focused ? clear : undefined)

  return (
    <>
      <WorkOrderTable
        projectId={project.id}
        groups={groups.all}
        by={groups.by}
        folded={groups.folded}
        onFold={groups.fold}
        selected={selected}
        cursor={cursor}
        handle={list}
        onSelect={(row, isRange) => select(row.id, isRange)}
        onMenu={openMenu}
      />
      <BatchBar rows={chosen} projectId={project.id} onMore={openMenu} />
      {menu}
    </>
  )
}
