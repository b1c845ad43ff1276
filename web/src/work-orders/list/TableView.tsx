import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { type MouseEvent, useCallback, useMemo, useRef, useState } from 'react'
import { useShortcut } from '../../app/shortcuts.ts'
import { useStore } from '../../lib/store.ts'
import { BatchBar } from '../batch/BatchBar.tsx'
import { RowMenu } from '../batch/RowMenu.tsx'
import { openPicker } from '../picker.tsx'
import type { Property } from '../properties.tsx'
import { groupRows } from '../rows.ts'
import { selection } from '../selection.ts'
import type { Group, Phase, WorkOrderRow } from '../work-order.ts'
import { WorkOrderTable } from './WorkOrderTable.tsx'

/** The table with its keys: moving, selecting, changing. */
export function TableView({ rows, phases, by }: { rows: WorkOrderRow[]; phases: Phase[]; by: Group }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const selected = useStore(selection)
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [focusedId, setFocusedId] = useState<string>()
  const [menu, setMenu] = useState<{ rows: WorkOrderRow[]; anchor: DOMRect }>()
  const lastSelected = useRef<string>(undefined)
  const groups = useMemo(() => groupRows(rows, by, phases), [rows, by, phases])
  const inOrder = useMemo(() => groups.flatMap((group) => (folded.has(group.key) ? [] : group.rows)), [groups, folded])
  const latest = useRef(inOrder)
  latest.current = inOrder

  const fold = (key: string) =>
    setFolded((old) => (old.has(key) ? new Set([...old].filter((one) => one !== key)) : new Set(old).add(key)))
  const select = useCallback((row: WorkOrderRow, range: boolean) => {
    const ids = latest.current.map(({ id }) => id)
    const from = ids.indexOf(lastSelected.current ?? '')
    const to = ids.indexOf(row.id)
    lastSelected.current = row.id
    selection.set((old) => {
      if (range && from >= 0) return new Set([...old, ...ids.slice(Math.min(from, to), Math.max(from, to) + 1)])
      return old.has(row.id) ? new Set([...old].filter((id) => id !== row.id)) : new Set(old).add(row.id)
    })
  }, [])
  const chosen = useMemo(() => rows.filter(({ id }) => selected.has(id)), [rows, selected])
  const openMenu = useCallback((row: WorkOrderRow, event: MouseEvent) => {
    event.preventDefault()
    const chosenNow = latest.current.filter(({ id }) => selection.get().has(id))
    const targets = chosenNow.some(({ id }) => id === row.id) ? chosenNow : [row]
    setMenu({ rows: targets, anchor: new DOMRect(event.clientX, event.clientY, 0, 0) })
  }, [])

  const step = (by: number) => {
    const at = inOrder.findIndex(({ id }) => id === focusedId)
    const next = inOrder[at < 0 ? 0 : Math.min(inOrder.length - 1, Math.max(0, at + by))]
    setFocusedId(next?.id)
  }
  const focused = inOrder.find(({ id }) => id === focusedId)
  const change = (property: Property) => () => {
    const targets = chosen.length > 0 ? chosen : focused ? [focused] : []
    const first = targets[0]
    if (!first) return
    const line = document.querySelector(`[data-row="${(focused ?? first).id}"]`)
    openPicker(property, targets, line?.querySelector('[data-cell="status"]') ?? line ?? document.body)
  }
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
  useShortcut('select', focused && (() => select(focused, false)))
  useShortcut(
    'open',
    focused &&
      (() =>
        void navigate({
          to: '/p/$projectId/work-orders/$number',
          params: { projectId: project.id, number: String(focused.work_order_number) },
        })),
  )
  useShortcut(
    'back',
    selected.size > 0 ? () => selection.set(new Set()) : focused ? () => setFocusedId(undefined) : undefined,
  )
  useShortcut('status', change('status'))
  useShortcut('priority', change('priority'))
  useShortcut('phase', change('phase'))
  useShortcut('assignee', change('assignee'))
  useShortcut('label', change('label'))
  useShortcut('type', change('type'))

  return (
    <>
      <WorkOrderTable
        projectId={project.id}
        groups={groups}
        by={by}
        folded={folded}
        onFold={fold}
        selected={selected}
        focusedId={focusedId}
        onSelect={select}
        onMenu={openMenu}
      />
      <BatchBar rows={chosen} />
      {menu && <RowMenu rows={menu.rows} anchor={menu.anchor} onClose={() => setMenu(undefined)} />}
    </>
  )
}
