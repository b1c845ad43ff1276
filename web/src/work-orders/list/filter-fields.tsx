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
import type { FilterField } from '../../ui/toolbar/filter-field.ts'
import { NONE, optionsOf, type Vocabulary } from '../properties.tsx'
import type { Filter } from '../search.ts'
import { FIELDS, type Field } from '../work-order.ts'

const SIZE = { size: 16, stroke: 1.75 }

const LOOKS: Record<Field, Pick<FilterField, 'name' | 'icon' | 'takes'>> = {
  status: { name: 'Status', icon: <IconCircleDashed {...SIZE} />, takes: 'many' },
  priority: { name: 'Priority', icon: <PriorityBars priority="medium" size={14} />, takes: 'many' },
  type: { name: 'Type', icon: <IconHammer {...SIZE} />, takes: 'many' },
  phase: { name: 'Phase', icon: <IconFlag {...SIZE} />, takes: 'many' },
  assignee: { name: 'Assignee', icon: <IconUser {...SIZE} />, takes: 'many' },
  label: { name: 'Label', icon: <IconTag {...SIZE} />, takes: 'many' },
  claim: { name: 'Claim', icon: <IconLock {...SIZE} />, takes: 'many' },
  title: { name: 'Title', icon: <IconLetterCase {...SIZE} />, takes: 'words' },
  updated: { name: 'Updated', icon: <IconCalendar {...SIZE} />, takes: 'one' },
}

const UPDATED: Option[] = [
  { value: 'today', label: 'Today' },
  { value: 'week', label: 'This week' },
  { value: 'month', label: 'This month' },
]

const CLAIM: Option[] = [
  { value: 'agents', label: 'Claimed by agents', icon: <IconRobot {...SIZE} /> },
  { value: NONE, label: 'Not claimed', icon: <IconCircleDashed {...SIZE} /> },
]

const formerOption = (person: Person): Option => ({
  value: person.id,
  label: shownName(person),
  icon: <Avatar person={person} size={18} />,
})

function filterOptions(field: Field, vocabulary: Vocabulary): Option[] {
  if (field === 'title') return []
  if (field === 'updated') return UPDATED
  if (field === 'claim') return CLAIM
  const options = optionsOf(field, vocabulary)
  if (field === 'assignee') return [...options, ...vocabulary.former.map(formerOption)]
  return field === 'label' ? [...options, { value: NONE, label: 'No label' }] : options
}

/** What the list can be filtered by. */
export const filterFields = (vocabulary: Vocabulary): FilterField<Field>[] =>
  FIELDS.map((field) => ({ field, ...LOOKS[field], options: filterOptions(field, vocabulary) }))

/** The filter in words: "Status is any of 3 values", "Updated this week". */
export function describeFilter({ field, negated, values }: Filter, vocabulary: Vocabulary): string {
  const { name } = LOOKS[field]
  if (field === 'title') return `Title contains “${values[0]}”`
  const options = filterOptions(field, vocabulary)
  const first = options.find(({ value }) => value === values[0])?.label ?? '…'
  if (field === 'updated') return `Updated ${first.toLowerCase()}`
  if (field === 'claim' && values.length === 1 && !negated) return first
  if (values.length === 1)
    return field === 'phase' && !negated ? `Phase ${first}` : `${name} is ${negated ? 'not ' : ''}${first}`
  return `${name} is ${negated ? 'none' : 'any'} of ${values.length} values`
}
