import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useMayWrite } from '../../lib/may-write.ts'
import { Button } from '../../ui/Button.tsx'
import { IconBookmark } from '../../ui/icons.ts'
import { FilterMenu } from '../../ui/toolbar/FilterMenu.tsx'
import { useClaimed } from '../claims.tsx'
import { countValues, filterRows } from '../rows/rows.ts'
import { filtersOf, type WorkOrderSearch, writeFilter } from '../search.ts'
import { namedView, queryOf } from '../views/saved-views.ts'
import type { WorkOrderRow } from '../work-order.ts'
import { describeFilter, filterFields } from './filter-fields.tsx'
import { useProjectVocabulary } from './use-project-vocabulary.ts'

interface Props {
  all: WorkOrderRow[]
  hasTimes: boolean
  onClose(): void
}

/** The menu of the filters of the list. All of them stand in the address. */
export function Filters({ all, hasTimes, onClose }: Props) {
  const search = useSearch({ from: '/signed-in/p/$projectId/work-orders' })
  const navigate = useNavigate({ from: '/p/$projectId/work-orders' })
  const vocabulary = useProjectVocabulary()
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const claimed = useClaimed(project.id)
  const mayWrite = useMayWrite()
  const filters = filtersOf(search)
  return (
    <FilterMenu
      fields={filterFields(vocabulary).filter(({ field }) => hasTimes || field !== 'updated')}
      filters={filters}
      countsOf={(field) => countValues(all, filters, field, claimed)}
      describe={(filter) => describeFilter(filter, vocabulary)}
      hint={
        <>
          Type the field and the value at once: <code>pri high</code>, <code>as ada</code>, <code>lab bug</code>.
        </>
      }
      matching={filterRows(all, filters, claimed).length}
      total={all.length}
      onChange={({ field, ...filter }) =>
        void navigate({
          search: (old) => ({ ...old, [field]: writeFilter(filter) }) as WorkOrderSearch,
          replace: true,
        })
      }
      onClear={() =>
        void navigate({ search: (old) => ({ view: old.view, sort: old.sort, group: old.group }) as WorkOrderSearch })
      }
      onClose={onClose}
    >
      {mayWrite && (
        <Button
          icon={<IconBookmark size={15} stroke={1.75} />}
          onClick={() => {
            onClose()
            namedView.set({ query: queryOf(search) })
          }}
        >
          Save as view
        </Button>
      )}
    </FilterMenu>
  )
}
