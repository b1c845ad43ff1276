import { Avatar, type Person, shownName } from '../../people/Avatar.tsx'
import {
  IconCalendar,
  IconCircleDashed,
  IconFlag,
  IconHammer,
  IconLetterCase,
  IconLock,
  IconRobot,
  IconTag,
  IconUser,
} from '../../ui/icons.ts'
import type { Option } from '../../ui/Pick.tsx'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { NONE, optionsOf, type Vocabulary } from '../properties.tsx'
import type { Filter } from '../search.ts'
import type { Field } from '../work-order.ts'

export const FIELD_NAMES: Record<Field, string> = {
  status: 'Status',
  priority: 'Priority',
  type: 'Type',
  phase: 'Phase',
  assignee: 'Assignee',
  label: 'Label',
  claim: 'Claim',
  title: 'Title',
  updated: 'Updated',
}

export function FieldIcon({ field }: { field: Field }) {
  const size = { size: 16, stroke: 1.75 }
  if (field === 'status') return <IconCircleDashed {...size} />
  if (field === 'priority') return <PriorityBars priority="medium" size={14} />
  if (field === 'type') return <IconHammer {...size} />
  if (field === 'phase') return <IconFlag {...size} />
  if (field === 'assignee') return <IconUser {...size} />
  if (field === 'label') return <IconTag {...size} />
  if (field === 'claim') return <IconLock {...size} />
  if (field === 'title') return <IconLetterCase {...size} />
  return <IconCalendar {...size} />
}

const UPDATED: Option[] = [
  { value: 'today', label: 'Today' },
  { value: 'week', label: 'This week' },
  { value: 'month', label: 'This month' },
]

const CLAIM: Option[] = [
  { value: 'agents', label: 'Claimed by agents', icon: <IconRobot size={16} stroke={1.75} /> },
  { value: NONE, label: 'Not claimed', icon: <IconCircleDashed size={16} stroke={1.75} /> },
]

const formerOption = (person: Person): Option => ({
  value: person.id,
  label: shownName(person),
  icon: <Avatar person={person} size={18} />,
})

export function filterOptions(field: Field, vocabulary: Vocabulary): Option[] {
  if (field === 'title') return []
  if (field === 'updated') return UPDATED
  if (field === 'claim') return CLAIM
  const options = optionsOf(field, vocabulary)
  if (field === 'assignee') return [...options, ...vocabulary.former.map(formerOption)]
  return field === 'label' ? [...options, { value: NONE, label: 'No label' }] : options
}

export interface TypedFilter {
  field: Field
  value: string
  option: Option
}

/** What `pri high` or `as ada` can mean: the values with these words, of the fields that begin so. */
export function typedFilters(text: string, fields: readonly Field[], vocabulary: Vocabulary): TypedFilter[] {
  const [, begin, words] = /^(\S+)\s+(.+)$/.exec(text.trim().toLowerCase()) ?? []
  if (!begin || !words) return []
  return fields
    .filter((field) => FIELD_NAMES[field].toLowerCase().startsWith(begin))
    .flatMap((field): TypedFilter[] => {
      if (field === 'title') {
        const value = text.trim().slice(begin.length).trim()
        return [{ field, value, option: { value, label: '', icon: <FieldIcon field={field} /> } }]
      }
      return filterOptions(field, vocabulary)
        .filter(({ label }) => label.toLowerCase().includes(words))
        .map((option) => ({ field, value: option.value, option }))
    })
}

/** The filter in words: "Status is any of 3 values", "Updated this week". */
export function describeFilter({ field, negated, values }: Filter, vocabulary: Vocabulary): string {
  const name = FIELD_NAMES[field]
  if (field === 'title') return `Title contains “${values[0]}”`
  const options = filterOptions(field, vocabulary)
  const first = options.find(({ value }) => value === values[0])?.label ?? '…'
  if (field === 'updated') return `Updated ${first.toLowerCase()}`
  if (field === 'claim' && values.length === 1 && !negated) return first
  if (values.length === 1)
    return field === 'phase' && !negated ? `Phase ${first}` : `${name} is ${negated ? 'not ' : ''}${first}`
  return `${name} is ${negated ? 'none' : 'any'} of ${values.length} values`
}
