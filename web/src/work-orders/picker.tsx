import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useMemo } from 'react'
import { NumberMark } from '../ui/Chip.tsx'
import { openPicker } from '../ui/open-picker.tsx'
import { type Option, Pick } from '../ui/Pick.tsx'
import { rowsQuery } from './api.ts'
import { editWorkOrders } from './edits.ts'
import { COLORS, createLabel, leastUsedColor } from './labels/edits.ts'
import { createPhase } from './phases/edits.ts'
import {
  editOf,
  optionsOf,
  PROPERTY_NAMES,
  type Property,
  selectedOf,
  summaryOf,
  type Vocabulary,
} from './properties.tsx'
import { useShownRows } from './rows/cache.ts'
import { countValues } from './rows/rows.ts'
import { keysOf } from './shortcuts.ts'
import { useVocabulary } from './use-vocabulary.ts'
import type { Label, WorkOrderRow } from './work-order.ts'

/** Opens the list of values beside an element. The choice applies to all rows. */
export function openProperty(property: Property, rows: WorkOrderRow[], beside: Element): void {
  const ids = rows.map(({ id }) => id)
  openPicker(beside, PROPERTY_NAMES[property], (close) => (
    <PropertyValues property={property} ids={ids} onClose={close} />
  ))
}

interface Props {
  property: Property
  ids: string[]
  /** Part of a menu, which says what it is and how to go on. */
  inMenu?: boolean
  onClose(): void
}

/** The values that a property of these rows can have. */
export function PropertyValues({ property, ids, inMenu = false, onClose }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const projectId = project.id
  const vocabulary = useVocabulary(projectId)
  const rows = useShownRows(projectId, ids)
  const first = rows[0]
  if (!first) return null
  const has = (row: WorkOrderRow, value: string) => selectedOf(property, row).includes(value)
  const isMany = property === 'label'
  const pick = (value: string) => {
    // Several rows get the label unless all have it.
    const without = rows.filter((row) => !has(row, value))
    const targets = isMany && without.length > 0 ? without : rows
    const edits = targets.map((row) => editOf(row, property, value, vocabulary))
    if (!isMany) onClose()
    void editWorkOrders(projectId, summaryOf(property, value, vocabulary), edits)
  }
  const create = (text: string, color: string | undefined) => {
    onClose()
    if (isMany) void createLabel(projectId, text, vocabulary.labels, ids, color as Label['color'])
    else void createPhase(projectId, text, rows)
  }
  return (
    <ValuesPick
      property={property}
      projectId={projectId}
      several={ids.length > 1 ? ` of ${ids.length}` : ''}
      inMenu={inMenu}
      selected={selectedOf(property, first).filter((value) => rows.every((row) => has(row, value)))}
      onPick={pick}
      onCreate={create}
      onClose={onClose}
    />
  )
}

interface ValuesProps {
  property: Property
  projectId: string
  selected: string[]
  several?: string
  inMenu?: boolean
  onPick(value: string): void
  /** Makes a label or a phase with this title, in this color. */
  onCreate(title: string, color: string | undefined): void
  onClose(): void
}

/** The list of values, with its keys, wherever it opens. */
export function ValuesPick({ property, projectId, several = '', inMenu = false, ...rest }: ValuesProps) {
  const { selected, onPick, onCreate, onClose } = rest
  const vocabulary = useVocabulary(projectId)
  const options = useOptions(property, vocabulary, useQuery({ ...rowsQuery(projectId), enabled: false }).data)
  const isMany = property === 'label'
  const isSearched = !inMenu || isMany || property === 'assignee'
  return (
    <Pick
      placeholder={isSearched ? `Change ${PROPERTY_NAMES[property].toLowerCase()}${several}…` : undefined}
      shortcut={inMenu ? undefined : keysOf(property)}
      options={options}
      selected={selected}
      multiple={isMany}
      numbered={property === 'status' || property === 'priority' || property === 'type'}
      footer={!inMenu || isMany}
      create={
        isMany
          ? { kind: 'label', colors: { all: COLORS, first: leastUsedColor(vocabulary.labels) }, run: onCreate }
          : property === 'phase'
            ? { kind: 'phase', invite: 'New phase…', run: onCreate }
            : undefined
      }
      onPick={onPick}
      {...(isMany ? { onDone: onClose } : {})}
    />
  )
}

/** Labels say how many work orders have them, if the list is loaded. Phases show their number in front. */
function useOptions(property: Property, vocabulary: Vocabulary, all: WorkOrderRow[] | undefined): Option[] {
  return useMemo(() => {
    const options = optionsOf(property, vocabulary)
    if (property === 'label') {
      if (!all) return options
      const counts = countValues(all, [], 'label', new Set())
      return options.map((option) => ({ ...option, count: counts.get(option.value) ?? 0 }))
    }
    if (property !== 'phase') return options
    const numbered = vocabulary.phases.map(({ id, phase_number, title }) => ({
      value: id,
      label: title,
      icon: <NumberMark>{phase_number}</NumberMark>,
    }))
    return [...numbered, ...options.slice(numbered.length)]
  }, [property, vocabulary, all])
}
