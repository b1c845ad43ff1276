import type { Db } from '../../../kernel/database/index.ts'
import type { RecordedEvent } from '../../../kernel/events.ts'
import type { TriggerFilter } from './filter.ts'
import { hasLabel, isInCategory, isKey } from './filter-queries.ts'

/** True if the event is one that the trigger waits for. */
export async function matches(db: Db, event: RecordedEvent, filter: TriggerFilter | null): Promise<boolean> {
  if (filter === null) return true
  const { projectId, subjectId, keyId, payload } = event
  const { status_from, status_to, label, path, category, key } = filter
  if (status_from && !status_from.includes(payload.from as never)) return false
  if (status_to && !status_to.includes(payload.to as never)) return false
  if (path && !pathsOf(payload).some((one) => one.startsWith(path))) return false
  if (label && !(await hasLabel(db, projectId, subjectId, label))) return false
  if (category && !(await isInCategory(db, projectId, subjectId, category))) return false
  if (key && !(keyId !== null && (await isKey(db, projectId, keyId, key)))) return false
  return true
}

const pathsOf = ({ commits }: RecordedEvent['payload']) =>
  ((commits ?? []) as { paths?: string[] }[]).flatMap(({ paths }) => paths ?? [])
