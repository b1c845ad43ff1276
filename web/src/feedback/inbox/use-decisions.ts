import type { ThemeMark } from '@slipway/sdk'
import { useNavigate } from '@tanstack/react-router'
import { undo } from '../../lib/undo.ts'
import { useShortcut } from '../shortcuts.ts'
import type { InboxItem, InboxReport } from './api.ts'
import { linkReports, type SortAction, sortReports } from './edits.ts'
import { openNewTheme } from './open-dialogs.ts'
import { pickTheme } from './pick-theme.tsx'
import { clearWords, selectedWords } from './selected-words.ts'

interface Options {
  projectId: string
  report: InboxReport | undefined
  /** What the list shows, in its order. */
  rows: InboxItem[]
  mayWrite: boolean
  advances: boolean
  /** What the list of themes opens beside. */
  anchor(): Element | null
}

export type Decisions = ReturnType<typeof useDecisions>

/** What can be decided about the open report. After a decision, the next one opens. */
export function useDecisions({ projectId, report, rows, mayWrite, advances, anchor }: Options) {
  const navigate = useNavigate()
  const suggested = report?.status === 'to_process' ? report.candidates.find((one) => one.is_suggested) : undefined

  function open(number: number): void {
    void navigate({
      to: '/p/$projectId/feedback/$number',
      params: { projectId, number: String(number) },
      search: true,
      replace: true,
    })
  }

  /** The one after it, or before it at the end of the list. */
  function advance(): void {
    clearWords()
    if (!advances || !report) return
    const at = rows.findIndex(({ id }) => id === report.id)
    const next = at < 0 ? undefined : (rows[at + 1] ?? rows[at - 1])
    if (next) open(next.number)
  }

  function linkTo({ id, display_id, number, title, status }: ThemeMark, chosen = selectedWords()): void {
    if (!report) return
    const words = chosen ?? report.candidates.find((one) => one.id === id)?.text_excerpt
    advance()
    const mark = { id, display_id, number, title, status }
    void linkReports(projectId, { items: [report], theme: mark, ...(words && { excerpt: words }) })
  }

  /** Several matters in one report are several quotes, so this does not go on to the next. */
  function quoteTo(theme: ThemeMark, words: string): void {
    clearWords()
    if (report) void linkReports(projectId, { items: [report], theme, excerpt: words })
  }

  function newTheme(title?: string, words = selectedWords(), stays = false): void {
    if (!report) return
    const first = report.candidates[0]?.text_excerpt
    const excerpt = words ?? first
    openNewTheme({ items: [report], title: title ?? report.title, excerpt, onDone: stays ? clearWords : advance })
  }

  function choose(): void {
    const beside = anchor()
    if (!report || !beside) return
    // The list takes the selection away.
    const words = selectedWords()
    pickTheme({
      projectId,
      beside,
      onPick: (theme) => linkTo(theme, words),
      onNew: (title) => newTheme(title, words),
    })
  }

  function quote(): boolean {
    const words = selectedWords()
    const beside = anchor()
    if (!words || !beside) return false
    pickTheme({
      projectId,
      beside,
      onPick: (theme) => quoteTo(theme, words),
      onNew: (title) => newTheme(title, words, true),
    })
    return true
  }

  function set(action: SortAction): void {
    if (!report) return
    if (action !== 'reopen') advance()
    void sortReports(projectId, [report], action)
  }

  const link = () => (suggested ? linkTo(suggested) : choose())
  const can = mayWrite && report !== undefined
  useShortcut('inbox-link', can ? link : undefined)
  useShortcut('inbox-new-theme', can ? () => newTheme() : undefined)
  useShortcut('inbox-dismiss', can && report.status === 'to_process' ? () => set('dismiss') : undefined)
  useShortcut('inbox-quote', can ? quote : undefined)
  useShortcut('inbox-undo', mayWrite ? () => undo() : undefined)
  return { suggested, open, link, linkTo, newTheme, choose, quote, set }
}
