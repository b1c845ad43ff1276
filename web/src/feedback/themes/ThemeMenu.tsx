import { askAbout } from '../../lib/ask-about.ts'
import { ask } from '../../lib/asking.ts'
import { countOf } from '../../lib/numbers.ts'
import {
  IconArrowBackUp,
  IconArrowMerge,
  IconCircleCheck,
  IconCircleX,
  IconFileText,
  IconMessages,
  IconPencil,
  IconTrash,
} from '../../ui/icons.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import type { ThemeRow } from './api.ts'
import { openThemeDialog } from './dialogs.ts'
import { changeTheme, createFromTheme } from './edits.ts'
import { deleteTheme } from './regrouping.ts'
import { numberOf, OPEN } from './theme.ts'

const SIZE = { size: 16, stroke: 1.75 }

/** What else can be done with a theme. */
export function ThemeMenu({ row, projectId, onGone }: { row: ThemeRow; projectId: string; onGone(): void }) {
  const isOpen = OPEN.includes(row.status)
  const pick = async (value: string) => {
    if (value === 'edit' || value === 'merge') return openThemeDialog({ kind: value, row })
    if (value === 'ask')
      return askAbout(projectId, {
        name: `${row.display_id} ${row.title}`,
        href: `/p/${projectId}/feedback/themes/${numberOf(row)}`,
      })
    if (value === 'requirement') return void createFromTheme(projectId, { row, what: 'requirement' })
    if (value === 'delete') {
      const quotes = row.quote_count === 1 ? 'Its quote goes' : `Its ${countOf(row.quote_count, 'quote')} go`
      const text = `${quotes} with it. Reports that are in no other theme are to be processed again. Undo brings all of it back.`
      if (!(await ask({ title: `Delete ${row.display_id} “${row.title}”?`, text, verb: 'Delete' }))) return
      const outcome = await deleteTheme(projectId, row)
      if (outcome.state === 'saved') onGone()
      return
    }
    void changeTheme(projectId, row, { status: value as ThemeRow['status'] })
  }
  return (
    <MoreMenu
      label={`More for ${row.display_id}`}
      options={[
        { value: 'ask', label: 'Ask about this', icon: <IconMessages {...SIZE} /> },
        { value: 'edit', label: 'Rename and edit…', icon: <IconPencil {...SIZE} /> },
        { value: 'merge', label: 'Merge into…', icon: <IconArrowMerge {...SIZE} /> },
        { value: 'requirement', label: 'Create requirement', icon: <IconFileText {...SIZE} />, divided: true },
        ...(isOpen
          ? [
              { value: 'resolved', label: 'Resolve', icon: <IconCircleCheck {...SIZE} />, divided: true },
              { value: 'dismissed', label: 'Dismiss', icon: <IconCircleX {...SIZE} /> },
            ]
          : [{ value: 'unresolved', label: 'Reopen', icon: <IconArrowBackUp {...SIZE} />, divided: true }]),
        { value: 'delete', label: 'Delete…', icon: <IconTrash {...SIZE} />, danger: true, divided: true },
      ]}
      onPick={(value) => void pick(value)}
    />
  )
}
