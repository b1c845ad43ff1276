import { useRouteContext } from '@tanstack/react-router'
import { keysOf } from '../app/shortcuts.ts'
import { queryClient } from '../lib/query-client.ts'
import { createStore, useStore } from '../lib/store.ts'
import { Pick } from '../ui/Pick.tsx'
import { AnchoredPopUp } from '../ui/PopUp.tsx'
import { rowsQuery } from './api.ts'
import { editWorkOrders } from './edits.ts'
import { createLabel } from './labels/edits.ts'
import { createPhase } from './phases/edits.ts'
import { editOf, optionsOf, PROPERTY_NAMES, type Property, selectedOf, summaryOf } from './properties.tsx'
import { useVocabulary } from './use-vocabulary.ts'
import type { WorkOrderRow } from './work-order.ts'

interface Picking {
  property: Property
  ids: string[]
  anchor: DOMRect
}

const picking = createStore<Picking | undefined>(undefined)

/** Opens the list of values beside an element. The choice applies to all rows. */
export const openPicker = (property: Property, rows: WorkOrderRow[], beside: Element) =>
  picking.set({ property, ids: rows.map(({ id }) => id), anchor: beside.getBoundingClientRect() })

const close = () => picking.set(undefined)

/** The one list of values that table, board, batch bar and detail share. */
export function PropertyPicker() {
  const open = useStore(picking)
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const vocabulary = useVocabulary(project.id)
  if (!open) return null
  const { property, ids, anchor } = open
  const rows = () =>
    (queryClient.getQueryData(rowsQuery(project.id).queryKey) ?? []).filter(({ id }) => ids.includes(id))
  const first = rows()[0]
  if (!first) return null
  const pick = (value: string) => {
    // Several rows get the label unless all have it.
    const has = (row: WorkOrderRow) => selectedOf(property, row).includes(value)
    const all = rows()
    const targets = property === 'label' && !all.every(has) ? all.filter((row) => !has(row)) : all
    const edits = targets.map((row) => editOf(row, property, value, vocabulary))
    if (property !== 'label') close()
    void editWorkOrders(project.id, summaryOf(property, value, vocabulary), edits)
  }
  const create = (text: string) => {
    close()
    if (property === 'label') createLabel(project.id, text, vocabulary.labels, ids)
    else createPhase(project.id, text, rows())
  }
  const creates = property === 'label' || property === 'phase'
  const several = ids.length > 1 ? ` of ${ids.length}` : ''
  return (
    <AnchoredPopUp anchor={anchor} onClose={close}>
      <Pick
        placeholder={`Change ${PROPERTY_NAMES[property].toLowerCase()}${several}…`}
        shortcut={keysOf(property)}
        options={optionsOf(property, vocabulary)}
        selected={ids.length === 1 ? selectedOf(property, first) : []}
        multiple={property === 'label'}
        numbered={property === 'status' || property === 'priority'}
        footer
        create={creates ? { kind: property, run: create } : undefined}
        onPick={pick}
      />
    </AnchoredPopUp>
  )
}
