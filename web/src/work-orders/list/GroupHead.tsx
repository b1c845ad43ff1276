import { memo } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { IconChevronDown, IconChevronRight, IconFlag, IconPlus } from '../../ui/icons.ts'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { openCreate } from '../create/open-create.ts'
import type { RowGroup } from '../rows/rows.ts'
import type { Group, Priority, Status } from '../work-order.ts'
import css from './Row.module.css'

interface Props {
  group: RowGroup
  by: Group
  folded: boolean
  onFold(key: string): void
}

export const GroupHead = memo(function GroupHead({ group, by, folded, onFold }: Props) {
  const mayWrite = useMayWrite()
  const first = group.rows[0]!
  const values = by === 'none' ? {} : by === 'status' || by === 'priority' ? { [by]: group.key } : { [by]: first[by] }
  return (
    <div className={css.group}>
      <button type="button" className={css.fold} aria-expanded={!folded} onClick={() => onFold(group.key)}>
        {folded ? <IconChevronRight size={15} stroke={1.75} /> : <IconChevronDown size={15} stroke={1.75} />}
        {by === 'status' && <StatusRing status={group.key as Status} />}
        {by === 'priority' && <PriorityBars priority={group.key as Priority} />}
        {by === 'phase' && <IconFlag size={15} stroke={1.75} />}
        {by === 'assignee' && <Avatar person={first.assignee} size={18} />}
        {group.name}
        <span className={css.count}>{formatCount(group.rows.length)}</span>
      </button>
      {mayWrite && (
        <IconButton label={`New work order in ${group.name}`} small onClick={() => openCreate({ values })}>
          <IconPlus size={16} stroke={1.75} />
        </IconButton>
      )}
    </div>
  )
})
