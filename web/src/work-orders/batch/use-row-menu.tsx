import { useRouteContext } from '@tanstack/react-router'
import { type MouseEvent, useState } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { copyForAgent } from '../copy-for-agent.ts'
import { selection } from '../selection.ts'
import { useShortcut } from '../shortcuts.ts'
import type { WorkOrderRow } from '../work-order.ts'
import { RowMenu } from './RowMenu.tsx'
import { askToDelete, copyLinks } from './row-actions.ts'
import { type Targets, usePropertyKeys } from './use-property-keys.ts'

/**
 * The menu of a row or a card, and the keys of all that it offers. `find` says what the keys act on. A `selectable` row shows
 * whether it is selected.
 */
export function useRowMenu(all: WorkOrderRow[], find: () => Targets, selectable = true) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const mayWrite = useMayWrite()
  const [shown, setShown] = useState<{ rows: WorkOrderRow[]; anchor: DOMRect }>()
  const onTargets = (act: (targets: Targets) => void) => () => {
    const targets = find()
    if (targets.rows.length === 0) return false
    act(targets)
  }
  usePropertyKeys(find)
  useShortcut(
    'copy',
    onTargets(({ rows }) => void copyForAgent(project.id, rows)),
  )
  useShortcut(
    'link',
    onTargets(({ rows }) => copyLinks(project.id, rows)),
  )
  useShortcut('delete', mayWrite ? onTargets(({ rows }) => void askToDelete(project.id, rows)) : undefined)
  useShortcut(
    'row-menu',
    onTargets(({ rows, beside }) => setShown({ rows, anchor: (beside ?? document.body).getBoundingClientRect() })),
  )
  /** For a click on one of them. What is selected goes along. */
  const open = (row: WorkOrderRow, event: MouseEvent) => {
    event.preventDefault()
    const selected = selection.get()
    const rows = selected.has(row.id) ? all.filter(({ id }) => selected.has(id)) : [row]
    const button = (event.target as Element).closest('[aria-haspopup="menu"]')
    setShown({ rows, anchor: button?.getBoundingClientRect() ?? new DOMRect(event.clientX, event.clientY, 0, 0) })
  }
  const menu = shown && <RowMenu {...shown} selectable={selectable} onClose={() => setShown(undefined)} />
  return { open, menu }
}
