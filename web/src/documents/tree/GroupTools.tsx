import { IconButton } from '../../ui/Button.tsx'
import { IconLock, IconPlus } from '../../ui/icons.ts'
import css from '../../ui/tree/Tree.module.css'

interface Props {
  title: string
  isLocked: boolean
  mayWrite: boolean
  onAdd(): void
}

/** What stands at the end of the line of a group. */
export function GroupTools({ title, isLocked, mayWrite, onAdd }: Props) {
  if (isLocked)
    return (
      <span className={css.lock} title="These follow the features. Create and delete the requirement instead.">
        <IconLock size={14} stroke={1.75} aria-label="Locked: these follow the features" />
      </span>
    )
  if (!mayWrite) return null
  return (
    <IconButton small label={`New in ${title}`} tabIndex={-1} onClick={onAdd}>
      <IconPlus size={15} stroke={1.75} />
    </IconButton>
  )
}
