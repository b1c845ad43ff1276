import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { useStore } from '../../lib/store.ts'
import {
  IconArrowsSort,
  IconFilter,
  IconFoldDown,
  IconFoldUp,
  IconLayoutKanban,
  IconList,
  IconStack2,
  IconTimeline,
} from '../../ui/icons.ts'
import { PopUp } from '../../ui/PopUp.tsx'
import {
  Toolbar as Bar,
  FilterChip,
  Tool,
  ToolbarRule,
  ToolbarSpace,
  ToolbarTotal,
  ToolChoice,
  viewTab,
} from '../../ui/toolbar/Toolbar.tsx'
import { foldAll, foldedLanes } from '../phases/folding.ts'
import { NONE } from '../properties.tsx'
import { filtersOf, readCardParts, type WorkOrderSearch, writeCardParts } from '../search.ts'
import { DEFAULT_SORT, GROUP_NAMES, GROUPS, SORT_NAMES, SORTS, type WorkOrderRow } from '../work-order.ts'
import { Filters } from './Filters.tsx'
import { describeFilter } from './filter-fields.tsx'
import { ListMenu } from './ListMenu.tsx'
import { ShowMenu } from './ShowMenu.tsx'
import { useProjectVocabulary } from './use-project-vocabulary.ts'

interface ToolbarProps {
  all: WorkOrderRow[]
  rows: WorkOrderRow[] | undefined
  /** How many there are, while some of them are still being loaded. */
  expected: number | undefined
}

/** Views, filters, grouping and order. All of it stands in the address. */
export function Toolbar({ all, rows, expected }: ToolbarProps) {
  const shown = rows?.length
  const search = useSearch({ from: '/signed-in/p/$projectId/work-orders' })
  const navigate = useNavigate({ from: '/p/$projectId/work-orders' })
  const vocabulary = useProjectVocabulary()
  const filters = filtersOf(search)
  const change = (part: Partial<WorkOrderSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true })
  const hasTimes = all.some(({ updated_at }) => updated_at)
  return (
    <Bar>
      <View view={undefined} name="Table" icon={<IconList size={16} stroke={1.75} />} />
      <View view="board" name="Board" icon={<IconLayoutKanban size={16} stroke={1.75} />} />
      <View view="phases" name="Phases" icon={<IconTimeline size={16} stroke={1.75} />} />
      <ToolbarRule />
      {search.view === 'phases' && !filters.some(({ field }) => field === 'status') && (
        <CompletedChip isShown={search.completed === 'shown'} onChange={(completed) => change({ completed })} />
      )}
      {filters.map((filter) => (
        <FilterChip
          key={filter.field}
          name={describeFilter(filter, vocabulary)}
          label={`Remove the filter by ${filter.field}`}
          onRemove={() => change({ [filter.field]: undefined })}
        />
      ))}
      <PopUp
        target={({ toggle }) => <Tool icon={<IconFilter size={16} stroke={1.75} />} name="Filter" onClick={toggle} />}
      >
        {(close) => <Filters all={all} hasTimes={hasTimes} onClose={close} />}
      </PopUp>
      <ToolbarSpace />
      {expected !== undefined ? (
        <ToolbarTotal isLive>
          Loading… {formatCount(all.length)} of {formatCount(expected)}
        </ToolbarTotal>
      ) : (
        (filters.length > 0 || search.view) &&
        shown !== undefined && (
          <ToolbarTotal>
            {filters.length > 0
              ? `${formatCount(shown)} of ${formatCount(all.length)}`
              : countOf(all.length, 'work order')}
          </ToolbarTotal>
        )
      )}
      {!search.view && (
        <ToolChoice
          icon={<IconStack2 size={16} stroke={1.75} />}
          name={`Group: ${GROUP_NAMES[search.group ?? 'status']}`}
          options={GROUPS.map((value) => ({ value, label: GROUP_NAMES[value] }))}
          selected={[search.group ?? 'status']}
          onPick={(value) => change({ group: value === 'status' ? undefined : (value as 'phase') } as WorkOrderSearch)}
        />
      )}
      <ToolChoice
        icon={<IconArrowsSort size={16} stroke={1.75} />}
        name={`Sort: ${SORT_NAMES[search.sort ?? DEFAULT_SORT]}`}
        options={SORTS.filter((value) => hasTimes || value !== '-updated').map((value) => ({
          value,
          label: SORT_NAMES[value],
        }))}
        selected={[search.sort ?? DEFAULT_SORT]}
        onPick={(value) =>
          change({ sort: value === DEFAULT_SORT ? undefined : (value as 'number') } as WorkOrderSearch)
        }
      />
      {search.view === 'board' && (
        <ShowMenu
          parts={readCardParts(search.show)}
          hasTimes={hasTimes}
          onChange={(parts) => change({ show: writeCardParts(parts) })}
        />
      )}
      {search.view === 'phases' && <FoldLanes rows={rows ?? []} />}
      <ListMenu rows={rows} />
    </Bar>
  )
}

function View({ view, name, icon }: { view: WorkOrderSearch['view']; name: string; icon: ReactNode }) {
  const current = useSearch({ from: '/signed-in/p/$projectId/work-orders' }).view
  return (
    <Link
      to="."
      search={(old) => ({ ...old, view }) as WorkOrderSearch}
      // Otherwise the table, whose address has no view, would be called current with every other.
      activeOptions={{ exact: true }}
      aria-current={current === view ? 'page' : undefined}
      className={viewTab(current === view)}
    >
      {icon}
      {name}
    </Link>
  )
}

/** Lanes leave out what is done; the chip says so and brings it back. */
function CompletedChip({ isShown, onChange }: { isShown: boolean; onChange(value: 'shown' | undefined): void }) {
  if (isShown) return <Tool name="Hide completed" onClick={() => onChange(undefined)} />
  return <FilterChip name="Completed hidden" label="Show completed work orders" onRemove={() => onChange('shown')} />
}

function FoldLanes({ rows }: { rows: WorkOrderRow[] }) {
  const { phases } = useProjectVocabulary()
  const folded = useStore(foldedLanes)
  const ids = [...phases.map(({ id }) => id), NONE]
  const isDone = (id: string) => {
    const own = rows.filter(({ phase }) => (phase?.id ?? NONE) === id)
    return own.length > 0 && own.every(({ status }) => status === 'completed')
  }
  const allFolded = ids.every((id) => folded.get(id) ?? isDone(id))
  return (
    <Tool
      icon={allFolded ? <IconFoldDown size={16} stroke={1.75} /> : <IconFoldUp size={16} stroke={1.75} />}
      name={allFolded ? 'Expand all' : 'Collapse all'}
      isLate
      onClick={() => foldAll(ids, !allFolded)}
    />
  )
}
