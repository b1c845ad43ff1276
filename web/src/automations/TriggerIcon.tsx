import {
  IconCalendar,
  IconFileText,
  IconGitCommit,
  IconHandClick,
  IconMessagePlus,
  IconTopologyStar3,
  IconTransfer,
} from '../ui/icons.ts'
import type { TriggerType } from './words.ts'

const ICONS: Record<TriggerType, typeof IconCalendar> = {
  schedule: IconCalendar,
  code_push: IconGitCommit,
  feedback_submitted: IconMessagePlus,
  requirements_updated: IconFileText,
  blueprint_updated: IconTopologyStar3,
  work_order_status_changed: IconTransfer,
  manual: IconHandClick,
}

/** What starts a run, as a sign. */
export function TriggerIcon({ type, size = 15 }: { type: TriggerType; size?: number }) {
  const Icon = ICONS[type]
  return <Icon size={size} stroke={1.75} aria-hidden="true" />
}
