import { useNavigate, useSearch } from '@tanstack/react-router'
import { formatCount } from '../../lib/numbers.ts'
import { dayOf } from '../../lib/time.ts'
import { IconArrowsSort, IconFilter } from '../../ui/icons.ts'
import { PopUp } from '../../ui/PopUp.tsx'
import { Switch } from '../../ui/Switch.tsx'
import {
  FilterChip,
  Tool,
  Toolbar,
  ToolbarRule,
  ToolbarSpace,
  ToolbarTotal,
  ToolChoice,
} from '../../ui/toolbar/Toolbar.tsx'
import { FeedbackTabs } from '../FeedbackTabs.tsx'
import type { InboxSearch } from '../search.ts'
import { InboxFilters } from './InboxFilters.tsx'
import css from './InboxToolbar.module.css'

type Named = Exclude<keyof InboxSearch, 'status' | 'sort'>

const day = (text: string) => dayOf(`${text}T12:00:00`)
const CHIPS: Record<Named, (value: string) => string> = {
  source: (value) => `Received through ${value}`,
  theme: (value) => `Theme is TH-${value}`,
  person: (value) => `From ${value}`,
  from: (value) => `Since ${day(value)}`,
  to: (value) => `Until ${day(value)}`,
  words: (value) => `Contains “${value}”`,
}

interface Props {
  total: number | undefined
  advances: boolean
  onAdvances(advances: boolean): void
}

/** Screens, filters and order. All of it stands in the address. */
export function InboxToolbar({ total, advances, onAdvances }: Props) {
  const search = useSearch({ from: '/signed-in/p/$projectId/inbox' })
  const navigate = useNavigate()
  const change = (part: Partial<InboxSearch>) =>
    void navigate({ to: '.', search: (old: InboxSearch) => ({ ...old, ...part }), replace: true } as never)
  const set = (Object.keys(CHIPS) as Named[]).filter((name) => search[name])
  return (
    <Toolbar>
      <FeedbackTabs open="inbox" />
      <ToolbarRule />
      {set.map((name) => (
        <FilterChip
          key={name}
          name={CHIPS[name](search[name]!)}
          label={`Remove the filter by ${name}`}
          onRemove={() => change({ [name]: undefined })}
        />
      ))}
      <PopUp
        target={({ toggle }) => <Tool icon={<IconFilter size={16} stroke={1.75} />} name="Filter" onClick={toggle} />}
      >
        {(close) => <InboxFilters search={search} onChange={change} onClose={close} />}
      </PopUp>
      <ToolbarSpace />
      {set.length > 0 && total !== undefined && (
        <ToolbarTotal isLive>{total >= 1_000 ? '1,000 or more' : formatCount(total)} match</ToolbarTotal>
      )}
      <ToolChoice
        icon={<IconArrowsSort size={16} stroke={1.75} />}
        name={search.sort ? 'Oldest first' : 'Newest first'}
        options={[
          { value: '-number', label: 'Newest first' },
          { value: 'number', label: 'Oldest first' },
        ]}
        selected={[search.sort ?? '-number']}
        onPick={(value) => change({ sort: value === 'number' ? 'number' : undefined })}
      />
      <Switch className={css.advance} checked={advances} onChange={onAdvances}>
        Auto-advance
      </Switch>
    </Toolbar>
  )
}
