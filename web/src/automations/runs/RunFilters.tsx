import { Link, useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { inWords } from '../../lib/kinds.ts'
import { countOf } from '../../lib/numbers.ts'
import { IconFilter } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/Menu.tsx'
import { TabFace, Tabs, tabClass } from '../../ui/Tabs.tsx'
import { FilterChip, Tool, ToolbarRule, ToolbarSpace, ToolbarTotal } from '../../ui/toolbar/Toolbar.tsx'
import type { AutomationRow } from '../api.ts'
import { RUN_STATUSES, type RunSearch } from '../search.ts'

/** What a run may have cost at least. */
const COSTS = ['0.01', '0.1', '1', '10']

/** Which runs are shown, all of it in the address. */
export function RunFilters({ total, automations }: { total: number | undefined; automations: AutomationRow[] }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const search = useSearch({ from: '/signed-in/p/$projectId/runs' })
  const navigate = useNavigate()
  const set = (change: RunSearch) =>
    void navigate({
      to: '/p/$projectId/automations/runs',
      params: { projectId: project.id },
      search: { ...search, ...change },
      replace: true,
    })
  const toggled = (list: string | undefined, value: string) => {
    const all = list?.split(',') ?? []
    return (all.includes(value) ? all.filter((one) => one !== value) : [...all, value]).join(',') || undefined
  }
  const line = (field: keyof RunSearch, value: string, label: string) => ({
    value: `${field}:${value}`,
    label,
    check: 'checkbox' as const,
    checked: search[field]?.split(',').includes(value) ?? false,
  })
  const nameOf = (id: string) => automations.find((one) => one.id === id)?.name ?? '…'
  const chips: Record<keyof RunSearch, string | undefined> = {
    status: search.status && `Status is ${search.status.split(',').map(inWords).join(' or ')}`,
    automation: search.automation && `Automation is ${search.automation.split(',').map(nameOf).join(' or ')}`,
    changed: search.changed && `Changed ${search.changed}`,
    cost: search.cost && `Cost is ${search.cost} or more`,
    waiting: undefined,
  }
  const tab = (name: string, isOpen: boolean, to: RunSearch) => (
    <Link
      to="/p/$projectId/automations/runs"
      params={{ projectId: project.id }}
      search={to}
      className={tabClass}
      activeProps={{}}
      aria-current={isOpen ? 'page' : undefined}
    >
      <TabFace>{name}</TabFace>
    </Link>
  )
  const { waiting: _, ...rest } = search
  return (
    <>
      <Tabs label="Runs">
        {tab('All runs', search.waiting === undefined, rest)}
        {tab('Waits for approval', search.waiting === 'yes', { ...rest, waiting: 'yes' })}
      </Tabs>
      <ToolbarRule />
      {(Object.keys(chips) as (keyof RunSearch)[]).map(
        (field) =>
          chips[field] && (
            <FilterChip
              key={field}
              name={chips[field]}
              label={`Remove the filter ${inWords(field)}`}
              onRemove={() => set({ [field]: undefined })}
            />
          ),
      )}
      <MenuButton
        label="Filter"
        target={({ toggle }) => <Tool icon={<IconFilter size={16} stroke={1.75} />} name="Filter" onClick={toggle} />}
        options={[
          { value: 'status', label: 'Status', more: RUN_STATUSES.map((one) => line('status', one, inWords(one))) },
          {
            value: 'automation',
            label: 'Automation',
            more: automations.map(({ id, name }) => line('automation', id, name)),
          },
          {
            value: 'changed',
            label: 'Changed',
            more: [line('changed', 'something', 'Something'), line('changed', 'nothing', 'Nothing')],
          },
          { value: 'cost', label: 'Cost', more: COSTS.map((one) => line('cost', one, `${one} or more`)) },
        ]}
        onPick={(picked) => {
          const [field, value] = picked.split(':') as [keyof RunSearch, string]
          const isList = field === 'status' || field === 'automation'
          set({ [field]: isList ? toggled(search[field], value) : search[field] === value ? undefined : value })
        }}
      />
      <ToolbarSpace />
      {total !== undefined && <ToolbarTotal>{countOf(total, 'run')}</ToolbarTotal>}
    </>
  )
}
