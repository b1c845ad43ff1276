import type { ThemeMark } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { listNames } from '../../lib/list-names.ts'
import { countOf } from '../../lib/numbers.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { showToast } from '../../lib/toasts.ts'
import type { Priority, Type } from '../themes/theme.ts'
import { readAgain, showItems } from './cache.ts'

/** A report as a decision names it. */
export interface Target {
  id: string
  number: number
  display_id: string
}

const nameOf = (items: readonly Target[]) => (items.length === 1 ? items[0]!.display_id : `${items.length} reports`)
const idsOf = (items: readonly Target[]) => items.map(({ id }) => id)
const chosen = (items: readonly Target[], ids: readonly string[]) => items.filter(({ id }) => ids.includes(id))
const unchanged = (items: readonly Target[], ids: readonly string[]) => items.filter(({ id }) => !ids.includes(id))
const codesOf = (items: readonly Target[]) => listNames(items.map(({ display_id }) => display_id))
const are = (items: readonly Target[]) => (items.length === 1 ? 'is' : 'are')
const marksOf = (items: readonly Target[]) => items.map(({ id, number, display_id }) => ({ id, number, display_id }))

/** As many as one request may name. */
const MOST_AT_ONCE = 200

/** Sends many reports in turns, each with a key of its own, so that none is done twice when the whole is sent again. */
async function inTurns<Answer extends { changed_ids: string[] }>(
  items: readonly Target[],
  key: string,
  send: (ids: string[], options: { idempotencyKey: string }, last: Answer | undefined) => Promise<Answer>,
): Promise<Answer> {
  const changed: string[] = []
  let last: Answer | undefined
  for (let at = 0; at < items.length; at += MOST_AT_ONCE) {
    const turn = { idempotencyKey: at === 0 ? key : `${key}-${at}` }
    last = await send(idsOf(items.slice(at, at + MOST_AT_ONCE)), turn, last)
    changed.push(...last.changed_ids)
  }
  return { ...last!, changed_ids: changed }
}

export interface Linking {
  items: Target[]
  /** Left out, a new one is opened. */
  theme?: ThemeMark
  newTheme?: { title: string; type: Type; priority: Priority }
  excerpt?: string
}

const link = defineWrite<Linking, { theme: ThemeMark; changed_ids: string[] }>({
  name: 'feedback.link',
  waits: true,
  words: ({ newTheme }) => [newTheme?.title],
  about: ({ items, theme, newTheme }) => ({
    text: `${nameOf(items)} to ${theme?.display_id ?? `the new theme “${newTheme?.title}”`}`,
    subjects: idsOf(items),
    part: 'theme',
  }),
  send: ({ items, theme, newTheme, excerpt }, { projectId, key }) =>
    inTurns<{ theme: ThemeMark; changed_ids: string[] }>(items, key, async (ids, options, last) => {
      const into = theme ?? last?.theme
      const body = {
        feedback_item_ids: ids,
        ...(into ? { theme_id: into.id } : { new_theme: newTheme! }),
        ...(excerpt && { text_excerpt: excerpt }),
      }
      return (await api.feedback(callOf(projectId)).linkItems(body, options)).data
    }),
  show: ({ items }, projectId) => showItems(projectId, items, { status: 'processed', suggested_theme: null }),
  hide: ({ items }, projectId) => readAgain(projectId, items),
  saved({ theme, changed_ids }, { items, newTheme }, { projectId }) {
    readAgain(projectId, items)
    const linked = chosen(items, changed_ids)
    const left = unchanged(items, changed_ids)
    const already = left.length > 0 ? `${codesOf(left)} ${are(left)} in ${theme.display_id} already` : undefined
    if (linked.length === 0) return showToast({ text: already! })
    const undo = () => void takeBack(projectId, { items: linked, theme, endsTheme: newTheme !== undefined })
    const done = `${nameOf(linked)} linked to ${theme.display_id}`
    showToast({ text: already ? `${done}; ${already}` : done, undo })
  },
  failure: ({ items }) => `${nameOf(items)} could not be linked`,
})

/** Puts reports into a theme, and offers to undo it. */
export const linkReports = (projectId: string, linking: Linking) =>
  link(projectId, { ...linking, items: marksOf(linking.items) })

interface TakenBack {
  items: Target[]
  theme: ThemeMark
  endsTheme: boolean
}

const takeBack = defineWrite<TakenBack, { changed_ids: string[] }>({
  name: 'feedback.take-back',
  waits: true,
  about: ({ items, theme }) => ({
    text: `${nameOf(items)} out of ${theme.display_id} again`,
    subjects: idsOf(items),
    part: 'theme',
  }),
  send: ({ items, theme, endsTheme }, { projectId, key }) =>
    inTurns(items, key, async (ids, options) => {
      const body = { feedback_item_ids: ids, theme_id: theme.id, ends_theme: endsTheme }
      return (await api.feedback(callOf(projectId)).takeBackLinks(body, options)).data
    }),
  saved({ changed_ids }, { items, theme }, { projectId }) {
    readAgain(projectId, items)
    const left = unchanged(items, changed_ids)
    if (left.length > 0)
      showToast({ text: `${codesOf(left)} ${left.length === 1 ? 'was' : 'were'} out of ${theme.display_id} already` })
  },
  failure: ({ items, theme }) => `${nameOf(items)} could not be taken out of ${theme.display_id}`,
})

interface Quoted {
  item: Target
  theme: ThemeMark
}

const unlink = defineWrite<Quoted, unknown>({
  name: 'feedback.unlink',
  waits: true,
  about: ({ item, theme }) => ({
    text: `${item.display_id} out of ${theme.display_id}`,
    subjects: [item.id],
    part: 'theme',
  }),
  send: ({ item, theme }, { projectId, key }) =>
    api.feedback(callOf(projectId)).unlinkItem(theme.id, item.id, { idempotencyKey: key }),
  saved: (_answer, { item, theme }, { projectId }) => {
    readAgain(projectId, [item])
    showToast({
      text: `${item.display_id} is out of ${theme.display_id}`,
      undo: () => void linkReports(projectId, { items: [item], theme }),
    })
  },
  failure: ({ item, theme }) => `${item.display_id} could not be taken out of ${theme.display_id}`,
})

/** Takes a report out of a theme. Triage does not put what is like it there again. */
export const unlinkReport = (projectId: string, { item, theme }: Quoted) =>
  unlink(projectId, { item: marksOf([item])[0]!, theme })

export type SortAction = 'dismiss' | 'not_feedback' | 'reopen'

const DONE: Record<SortAction, string> = {
  dismiss: 'dismissed',
  not_feedback: 'marked as not feedback',
  reopen: 'to be processed again',
}

const processed = (items: readonly Target[]) => `${are(items)} processed already`
/** Why a report was left as it is. */
const LEFT: Record<SortAction, (items: readonly Target[]) => string> = {
  dismiss: processed,
  not_feedback: processed,
  reopen: (items) => `${are(items)} in a theme or to be processed already`,
}

interface Sorting {
  items: Target[]
  action: SortAction
  isUndo?: boolean
}

const sort = defineWrite<Sorting, { changed_ids: string[] }>({
  name: 'feedback.sort',
  waits: true,
  about: ({ items, action }) => ({ text: `${nameOf(items)} ${DONE[action]}`, subjects: idsOf(items), part: 'status' }),
  send: ({ items, action, isUndo }, { projectId, key }) =>
    inTurns(items, key, async (ids, options) => {
      // What somebody has put into a theme since stays there.
      const body = { feedback_item_ids: ids, action, unless_linked: isUndo === true || action === 'reopen' }
      return (await api.feedback(callOf(projectId)).sortItems(body, options)).data
    }),
  show: ({ items, action }, projectId) =>
    showItems(projectId, items, { status: action === 'reopen' ? 'to_process' : 'processed' }),
  hide: ({ items }, projectId) => readAgain(projectId, items),
  saved({ changed_ids }, { items, action, isUndo }, { projectId }) {
    readAgain(projectId, items)
    const changed = chosen(items, changed_ids)
    const left = unchanged(items, changed_ids)
    if (isUndo && left.length > 0) void sayNotUndone(projectId, left)
    const skipped = !isUndo && left.length > 0 ? `${codesOf(left)} ${LEFT[action](left)}` : undefined
    if (changed.length === 0) return skipped ? void showToast({ text: skipped }) : undefined
    const back = action === 'reopen' ? 'dismiss' : 'reopen'
    const done = `${nameOf(changed)} ${DONE[action]}`
    showToast({
      text: skipped ? `${done}; ${skipped}` : done,
      undo: () => void sort(projectId, { items: changed, action: back, isUndo: true }),
    })
  },
  failure: ({ items, action }) => `${nameOf(items)} could not be ${DONE[action]}`,
})

const LAST_CHANGES = 50

/** Names what an undo left alone, and who has decided otherwise since. */
async function sayNotUndone(projectId: string, items: Target[]): Promise<void> {
  const { items: changes } = await api.changes(callOf(projectId)).list({ limit: LAST_CHANGES })
  const linked = changes.find(
    ({ kind, payload }) =>
      kind === 'theme.feedback_linked' &&
      items.some(({ id }) => id === (payload as { feedback_item_id?: string }).feedback_item_id),
  )
  const codes = listNames(items.map(({ display_id }) => display_id))
  const since = linked ? `${linked.actor.name} put ${codes} into a theme since` : `${codes} changed since`
  showToast({ text: `${countOf(items.length, 'report')} not undone: ${since}` })
}

/** Sets reports aside, or takes that back, and offers to undo it. */
export const sortReports = (projectId: string, items: Target[], action: SortAction) =>
  sort(projectId, { items: marksOf(items), action })

export const HAND_SOURCES = ['Call', 'E-mail', 'Meeting', 'Chat', 'Letter', 'Other'] as const

export interface ByHand {
  end_user_email: string
  content: string
  source: (typeof HAND_SOURCES)[number]
  attachments: { file_key: string; file_name: string; file_size: number; mime_type: string }[]
}

/** Adds what somebody said outside of the product. */
export const addByHand = defineWrite<ByHand, { number: number }>({
  name: 'feedback.by-hand',
  waits: true,
  words: ({ content }) => [content],
  about: ({ end_user_email }) => ({
    text: `Report of ${end_user_email}`,
    subjects: ['feedback-by-hand'],
    part: 'report',
  }),
  send: async (body, { projectId, key }) =>
    (await api.feedback(callOf(projectId)).addItem(body, { idempotencyKey: key })).data,
  saved: ({ number }, _input, { projectId, waited }) => {
    readAgain(projectId, [])
    if (waited) showToast({ text: `FB-${number} was added` })
  },
})
