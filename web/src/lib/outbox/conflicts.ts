import { reportFault } from '../report-fault.ts'
import { kinds, remove, showWrites, update } from './queue.ts'
import { submit } from './sending.ts'
import type { Write } from './write.ts'

/** Ends a conflict by saving a text over theirs. */
export function resolveConflict({ id, kind: name, projectId, input, theirs }: Write, text: string): void {
  const kind = kinds.get(name)
  if (!kind?.comparison || !theirs) return
  remove(id)
  void submit(kind, projectId, kind.comparison.rebased(input, text, theirs))
}

/** Ends a conflict by giving one's own text up. */
export function takeTheirs({ id, kind, projectId, input, theirs }: Write): void {
  remove(id)
  reportFault(() => kinds.get(kind)?.comparison?.showTheirs(input, theirs!, projectId))
  showWrites(projectId)
}

/** Keeps the text with which a person settles a conflict, until they save it. */
export const keepMerge = (id: string, merged: string) => update(id, { merged })

export const comparisonOf = ({ kind, input }: Write) => {
  const { comparison } = kinds.get(kind) ?? {}
  return (
    comparison && {
      title: comparison.title(input) as string,
      base: comparison.base(input) as string,
      mine: comparison.mine(input) as string,
    }
  )
}
