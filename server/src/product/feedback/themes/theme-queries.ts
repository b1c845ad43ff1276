import { type Db, likeSubstring, query, sendTogether } from '../../../kernel/database/index.ts'
import type { WordSource } from '../../../kernel/searches/word-search.ts'
import { contextOf, linksIn, registerResources } from '../../links/index.ts'
import { takingNumbers } from '../../projects/index.ts'
import type { Priority } from '../../work-orders/index.ts'
import type { Theme, ThemeStatus, ThemeSummary, ThemeType, ThemeValues } from './theme.ts'

/** The name under which themes are numbered and counted. */
export const THEMES = 'theme'

/** Of a theme `t`. Counted when it is read, because links come and go also with what they lead to. */
export const LINKED_WORK_ORDERS = `(select count(*)::int from context_links l
  where l.project_id = t.project_id and l.from_id = t.id and l.to_type = 'work_order')`

const summaryColumns = `
  t.id, t.theme_number, t.title, t.status, t.type, t.priority, t.quote_count, t.feature_id,
  ${LINKED_WORK_ORDERS} as linked_work_order_count, t.assignee_id, u.name as assignee_name, u.email as assignee_email`

// One statement per list, built once: building it for every request is measurable.
const listed = (condition: string) => `select ${summaryColumns}
  from themes t left join users u on u.id = t.assignee_id
  where t.project_id = $1 ${condition} order by t.theme_number desc`
const LIST_ALL = listed('')
const LIST_BY_STATUS = listed('and t.status = $2')
const FIND = `select ${summaryColumns}, t.description, t.markdown_content, t.origin, t.pinned_at, ${contextOf('t')} as context
  from themes t left join users u on u.id = t.assignee_id where t.project_id = $1 and t.id = $2`

export async function listThemes(db: Db, projectId: string, status: ThemeStatus | undefined): Promise<ThemeSummary[]> {
  const rows = status
    ? await query<SummaryRow>(db, LIST_BY_STATUS, [projectId, status])
    : await query<SummaryRow>(db, LIST_ALL, [projectId])
  return rows.map(toSummary)
}

export const findTheme = (db: Db, projectId: string, id: string) =>
  query<DetailRow>(db, FIND, [projectId, id]).map(([row]) => row && toTheme(row))

/** Reads after locking, because a statement that waited for a row lock sees joined rows as they were before. */
export async function lockTheme(db: Db, projectId: string, id: string): Promise<Theme | undefined> {
  const locking = db`select 1 from themes where project_id = ${projectId} and id = ${id} for update`
  const [, theme] = await sendTogether([locking, findTheme(db, projectId, id)])
  return theme
}

/** Every word must occur in the title or the description. */
export async function searchThemes(db: Db, projectId: string, words: string[], limit: number): Promise<ThemeSummary[]> {
  const found = await db<{ id: string }[]>`
    select id from themes where project_id = ${projectId}
      and (title || E'\n' || description || E'\n' || markdown_content) ilike all(${words.map(likeSubstring)}::text[])
    order by theme_number desc limit ${limit}`
  const ids = found.map((one) => one.id)
  const rows = await query<SummaryRow>(db, listed('and t.id = any($2::uuid[])'), [projectId, ids])
  return rows.map(toSummary)
}

export const readThemeTexts = (db: Db, projectId: string, ids: string[]) => db<
  { id: string; title: string; markdownContent: string; untrusted: boolean }[]
>`select id, title, markdown_content as "markdownContent", true as untrusted from themes
  where project_id = ${projectId} and id = any(${ids}::uuid[])`

interface NewTheme extends ThemeValues {
  id: string
  origin: string
  byPerson: boolean
}

/** Takes a number, registers the theme as a resource and returns the number. */
export async function insertTheme(db: Db, projectId: string, theme: NewTheme): Promise<number> {
  const [row] = await db<{ themeNumber: number }[]>`
    with taken as (${takingNumbers(db, projectId, THEMES, 1)}),
      registered as (${registerResources(db, projectId, 'theme', [theme.id])})
    insert into themes (project_id, id, theme_number, title, description, markdown_content, status, type, priority,
      origin, pinned_at, created_at, updated_at)
    select ${projectId}, ${theme.id}, first, ${theme.title}, ${theme.description},
      ${theme.markdownContent}, ${theme.status}, ${theme.type}, ${theme.priority}, ${theme.origin},
      case when ${theme.byPerson}::boolean then now() end, now(), now()
    from taken
    returning theme_number as "themeNumber"`
  return row!.themeNumber
}

export async function updateTheme(db: Db, projectId: string, id: string, values: ThemeValues): Promise<void> {
  await db`update themes set title = ${values.title}, description = ${values.description},
      markdown_content = ${values.markdownContent}, status = ${values.status}, type = ${values.type},
      priority = ${values.priority}
    where project_id = ${projectId} and id = ${id}`
}

export async function setThemeFeature(db: Db, projectId: string, id: string, featureId: string | null): Promise<void> {
  await db`update themes set feature_id = ${featureId} where project_id = ${projectId} and id = ${id}`
}

export async function setThemeAssignee(db: Db, projectId: string, id: string, userId: string | null): Promise<void> {
  await db`update themes set assignee_id = ${userId} where project_id = ${projectId} and id = ${id}`
}

/** Updates the time of change and, if a person made the change, pins the theme. The caller holds its lock. */
export async function touchTheme(db: Db, projectId: string, id: string, byPerson: boolean): Promise<void> {
  await db`update themes set ${touching(db, byPerson)} where project_id = ${projectId} and id = ${id}`
}

/** The same as part of a larger update. */
export const touching = (db: Db, byPerson: boolean) => db`
  updated_at = greatest(now(), updated_at + interval '1 millisecond'),
  pinned_at = coalesce(pinned_at, case when ${byPerson}::boolean then now() end)`

/** Some of its quotes may have been deleted while it was gone. */
export async function recountTheme(db: Db, projectId: string, id: string): Promise<void> {
  await db`update themes t set
      quote_count = (select count(*) from quotes q where q.project_id = t.project_id and q.theme_id = t.id)
    where t.project_id = ${projectId} and t.id = ${id}`
}

export async function deleteThemeRow(db: Db, projectId: string, id: string): Promise<void> {
  await db`delete from themes where project_id = ${projectId} and id = ${id}`
}

interface SummaryRow {
  id: string
  theme_number: number
  title: string
  status: ThemeStatus
  type: ThemeType
  priority: Priority
  quote_count: number
  linked_work_order_count: number
  feature_id: string | null
  assignee_id: string | null
  assignee_name: string
  assignee_email: string
}

interface DetailRow extends SummaryRow {
  description: string
  markdown_content: string
  origin: string
  pinned_at: string | null
  context: string[]
}

const toSummary = (row: SummaryRow): ThemeSummary => ({
  id: row.id,
  themeNumber: row.theme_number,
  title: row.title,
  status: row.status,
  type: row.type,
  priority: row.priority,
  quoteCount: row.quote_count,
  linkedWorkOrderCount: row.linked_work_order_count,
  featureId: row.feature_id,
  assignee:
    row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name, email: row.assignee_email },
})

const toTheme = (row: DetailRow): Theme => ({
  ...toSummary(row),
  description: row.description,
  markdownContent: row.markdown_content,
  context: linksIn(row.context),
  origin: row.origin,
  pinnedAt: row.pinned_at,
})

/** How the search over everything looks for themes. */
export const THEME_WORDS: WordSource = {
  from: 'themes t',
  projectId: 't.project_id',
  id: 't.id',
  title: 't.title',
  number: 't.theme_number',
  status: 't.status',
  detail: 't.type',
  text: "(t.description || E'\\n' || t.markdown_content)",
  newest: 't.theme_number desc',
}
