import { type Db, json, type Tx } from '../../../kernel/database/index.ts'
import type { Mailing, MailText, Recipient } from './mailing.ts'

/** How many failures a mailing names. */
const NAMED_FAULTS = 50

/** Told, or about to be. A mail that failed is retried in its mailing, so that nobody gets it from two. */
const isTold = (db: Db) => db`exists (
  select from theme_mails m join theme_mailings g on g.project_id = m.project_id and g.id = m.mailing_id
  where m.project_id = q.project_id and g.theme_id = q.theme_id and m.person = q.person
    and m.status <> 'unsubscribed')`

const isUnsubscribed = (db: Db) => db`exists (
  select from feedback_contacts c
  where c.project_id = q.project_id and c.person = q.person and c.unsubscribed_at is not null)`

export interface Reporter extends Omit<Recipient, 'language'> {
  /** The beginning of the report, which tells the language. */
  words: string
}

/** The newest report of each person in a theme who is still to be told. */
export const listPeopleToTell = (
  db: Db,
  projectId: string,
  themeId: string,
  { again, limit }: { again: boolean; limit: number },
) => db<Reporter[]>`
  select p.person, i.end_user_email as "endUserEmail", p.text_excerpt as "textExcerpt", p.reported_at as "reportedAt",
    left(i.markdown_content, 1000) as words
  from (
    select distinct on (q.person) q.project_id, q.person, q.feedback_item_id, q.text_excerpt, q.reported_at from quotes q
    where q.project_id = ${projectId} and q.theme_id = ${themeId} and q.person like '%_@_%'
      and not ${isUnsubscribed(db)} ${again ? db`` : db`and not ${isTold(db)}`}
    order by q.person, q.reported_at desc, q.id limit ${limit}
  ) p join feedback_items i on i.project_id = p.project_id and i.id = p.feedback_item_id
  order by p.reported_at desc, p.person`

export interface PeopleCounts {
  people: number
  told: number
  unsubscribed: number
}

export async function countPeople(db: Db, projectId: string, themeId: string): Promise<PeopleCounts> {
  const [row] = await db<PeopleCounts[]>`
    select count(*)::int as people, count(*) filter (where told and not gone)::int as told,
      count(*) filter (where gone)::int as unsubscribed
    from (select q.person, bool_or(${isTold(db)}) as told, bool_or(${isUnsubscribed(db)}) as gone from quotes q
      where q.project_id = ${projectId} and q.theme_id = ${themeId} group by q.person) p`
  return row!
}

export interface CompletedWork {
  id: string
  workOrderNumber: number
  title: string
  completedAt: string | null
}

/** The completed work orders of a theme, the last one first. */
export const listCompletedWork = (db: Db, projectId: string, themeId: string) => db<CompletedWork[]>`
  select w.id, w.work_order_number as "workOrderNumber", w.title, e.created_at as "completedAt"
  from context_links l join work_orders w on w.project_id = l.project_id and w.id = l.to_id
  left join lateral (
    select e.created_at from events e
    where e.project_id = w.project_id and e.subject_id = w.id and e.kind = 'work_order.status_changed'
    order by e.id desc limit 1
  ) e on true
  where l.project_id = ${projectId} and l.from_id = ${themeId} and l.to_type = 'work_order' and w.status = 'completed'
  order by e.created_at desc nulls last, w.work_order_number desc limit 20`

export interface NewMailing {
  id: string
  themeId: string
  createdBy: string | null
  byHand: boolean
  baseUrl: string
  texts: MailText[]
}

export const insertMailing = (db: Tx, projectId: string, one: NewMailing) => db`
  insert into theme_mailings (project_id, id, theme_id, created_by, by_hand, base_url, texts)
  values (${projectId}, ${one.id}, ${one.themeId}, ${one.createdBy}, ${one.byHand}, ${one.baseUrl}, ${json(one.texts)}::jsonb)`

/** Each person keeps the token of the first mail, so that old links go on working. */
export async function insertMails(
  db: Tx,
  projectId: string,
  mailingId: string,
  status: 'waiting' | 'copied',
  recipients: Recipient[],
): Promise<void> {
  await db`
    insert into feedback_contacts (project_id, person, language)
    select ${projectId}, r.person, r.language
    from jsonb_to_recordset(${json(recipients)}) as r (person text, language text) order by r.person
    on conflict (project_id, person) do update set language = excluded.language`
  await db`
    insert into theme_mails (project_id, mailing_id, person, end_user_email, language, text_excerpt, reported_at, status)
    select ${projectId}, ${mailingId}, r.person, r."endUserEmail", r.language, r."textExcerpt", r."reportedAt", ${status}
    from jsonb_to_recordset(${json(recipients)}) as r (person text, "endUserEmail" text, language text,
      "textExcerpt" text, "reportedAt" timestamptz)`
}

/** Newest first, or only the one with this id. */
export const listMailings = (db: Db, projectId: string, only: { themeId: string } | { id: string }) => db<Mailing[]>`
  select g.id, g.theme_id as "themeId", g.created_at as "createdAt", g.by_hand as "byHand", g.texts,
    case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "createdBy",
    (select coalesce(json_object_agg(c.status, c.count), '{}') from (
      select m.status, count(*)::int as count from theme_mails m
      where m.project_id = g.project_id and m.mailing_id = g.id group by 1) c) as counts,
    (select coalesce(json_agg(json_build_object('endUserEmail', f.end_user_email, 'reason', f.error,
      'isUncertain', f.is_uncertain) order by f.person), '[]') from (
      select * from theme_mails m where m.project_id = g.project_id and m.mailing_id = g.id and m.status = 'failed'
      order by m.person limit ${NAMED_FAULTS}) f) as faults
  from theme_mailings g left join users u on u.id = g.created_by
  where g.project_id = ${projectId} and ${'id' in only ? db`g.id = ${only.id}` : db`g.theme_id = ${only.themeId}`}
  order by g.created_at desc, g.id desc limit 50`

export interface StoredMail extends Recipient {
  token: string
  baseUrl: string
  texts: MailText[]
}

export const listMails = (db: Db, projectId: string, mailingId: string) => db<StoredMail[]>`
  select m.person, m.end_user_email as "endUserEmail", m.language, m.text_excerpt as "textExcerpt",
    m.reported_at as "reportedAt", c.token, g.base_url as "baseUrl", g.texts
  from theme_mails m join theme_mailings g on g.project_id = m.project_id and g.id = m.mailing_id
  join feedback_contacts c on c.project_id = m.project_id and c.person = m.person
  where m.project_id = ${projectId} and m.mailing_id = ${mailingId} and c.unsubscribed_at is null
  order by m.reported_at desc, m.person`

/** Puts failed mails in line again. Returns how many. */
export async function retryMails(
  db: Tx,
  projectId: string,
  mailingId: string,
  { baseUrl, includesUncertain }: { baseUrl: string; includesUncertain: boolean },
): Promise<number> {
  await db`update theme_mailings set base_url = ${baseUrl} where project_id = ${projectId} and id = ${mailingId}`
  const rows = await db<{ person: string }[]>`
    update theme_mails set status = 'waiting', error = null, is_uncertain = false
    where project_id = ${projectId} and mailing_id = ${mailingId} and status = 'failed'
      and (${includesUncertain} or not is_uncertain)
    returning person`
  return rows.length
}

/** Moves the mailings of a merged theme, so nobody gets a second mail. */
export const moveMailings = (db: Tx, projectId: string, fromId: string, intoId: string) => db`
  update theme_mailings set theme_id = ${intoId} where project_id = ${projectId} and theme_id = ${fromId}`
