import { BatchBar as Bar, BatchAction } from '../../../ui/BatchBar.tsx'
import { IconLink, IconPlus } from '../../../ui/icons.ts'
import type { InboxItem } from '../api.ts'
import { linkReports, type SortAction, sortReports } from '../edits.ts'
import { openNewTheme } from '../open-dialogs.ts'
import { pickTheme } from '../pick-theme.tsx'
import { selectedReports } from '../selection.ts'

const SIZE = { size: 16, stroke: 1.75 }

/** What can be done with the selected reports. */
export function BatchBar({ projectId, rows }: { projectId: string; rows: InboxItem[] }) {
  if (rows.length === 0) return null
  const { clear } = selectedReports
  const openNew = (title: string) => openNewTheme({ items: rows, title, onDone: clear })
  const choose = (beside: Element) =>
    pickTheme({
      projectId,
      beside,
      onPick(theme) {
        clear()
        void linkReports(projectId, { items: rows, theme })
      },
      onNew: openNew,
    })
  const sort = (action: SortAction) => () => {
    clear()
    void sortReports(projectId, rows, action)
  }
  const isProcessed = rows.every(({ status }) => status === 'processed')
  return (
    <Bar label="Selected reports" count={rows.length} onClear={clear}>
      <BatchAction name="Link" icon={<IconLink {...SIZE} />} onClick={(event) => choose(event.currentTarget)} />
      <BatchAction name="New theme" icon={<IconPlus {...SIZE} />} onClick={() => openNew(rows[0]!.title)} />
      {isProcessed ? (
        <BatchAction name="Reopen" onClick={sort('reopen')} />
      ) : (
        <>
          <BatchAction name="Dismiss" onClick={sort('dismiss')} />
          <BatchAction name="Not feedback" onClick={sort('not_feedback')} />
        </>
      )}
    </Bar>
  )
}
