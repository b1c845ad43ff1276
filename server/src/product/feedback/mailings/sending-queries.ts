import type { Db, Tx } from '../../../kernel/database/index.ts'
import type { MailFailure } from '../../../kernel/mail.ts'
import type { StoredMail } from './mailing-queries.ts'

/** Mails of one project are claimed one at a time, so that the limit per hour holds with several nodes. */
export const lockMails = (db: Tx, projectId: string) =>
  db`select pg_advisory_xact_lock(hashtextextended(${`mails ${projectId}`}, 0))`

/** Takes the next mail that waits, unless the project has used up its hour. */
export async function claimMail(
  db: Tx,
  projectId: string,
  mailingId: string,
  perHour: number,
): Promise<StoredMail | undefined> {
  const [mail] = await db<StoredMail[]>`
    update theme_mails m set status = 'sending', claimed_at = clock_timestamp()
    from theme_mailings g, feedback_contacts c
    where m.project_id = ${projectId} and m.mailing_id = ${mailingId} and m.status = 'waiting'
      and m.person = (select w.person from theme_mails w
        where w.project_id = ${projectId} and w.mailing_id = ${mailingId} and w.status = 'waiting' order by w.person limit 1)
      and (${perHour}::int = 0 or (select count(*) from theme_mails h
        where h.project_id = ${projectId} and h.claimed_at > clock_timestamp() - interval '1 hour') < ${perHour}::int)
      and g.project_id = m.project_id and g.id = m.mailing_id and c.project_id = m.project_id and c.person = m.person
    returning m.person, m.end_user_email as "endUserEmail", m.language, m.text_excerpt as "textExcerpt",
      m.reported_at as "reportedAt", c.token, g.base_url as "baseUrl", g.texts`
  return mail
}

export const settleMail = (
  db: Db,
  projectId: string,
  mailingId: string,
  person: string,
  failure: MailFailure | undefined,
) => db`
  update theme_mails set status = ${failure ? 'failed' : 'sent'}, error = ${failure?.reason ?? null},
    is_uncertain = ${failure?.isUncertain ?? false}
  where project_id = ${projectId} and mailing_id = ${mailingId} and person = ${person} and status in ('sending', 'failed')`

/** Nothing can be sent: all that wait have failed. */
export const failWaiting = (db: Db, projectId: string, mailingId: string, reason: string) => db`
  update theme_mails set status = 'failed', error = ${reason}
  where project_id = ${projectId} and mailing_id = ${mailingId} and status = 'waiting'`

/** Nobody sends these any more: the process that claimed them has ended. Returns their mailings. */
export const failAbandoned = (db: Db, afterMinutes: number) => db<{ projectId: string; mailingId: string }[]>`
  update theme_mails set status = 'failed', is_uncertain = true,
    error = 'The server stopped while it sent this mail. It may have arrived.'
  where status = 'sending' and claimed_at < clock_timestamp() - make_interval(mins => ${afterMinutes})
  returning project_id as "projectId", mailing_id as "mailingId"`

/** Mailings with mails that wait, and that no process is sending. */
export const listIdleMailings = (db: Db) => db<{ projectId: string; mailingId: string }[]>`
  select distinct w.project_id as "projectId", w.mailing_id as "mailingId" from theme_mails w
  where w.status = 'waiting' and not exists (select from theme_mails s
    where s.project_id = w.project_id and s.mailing_id = w.mailing_id and s.status = 'sending')`

export interface Progress {
  themeId: string
  waiting: number
  sent: number
  failed: number
}

export async function findProgress(db: Db, projectId: string, mailingId: string): Promise<Progress | undefined> {
  const [row] = await db<Progress[]>`
    select g.theme_id as "themeId", count(*) filter (where m.status in ('waiting', 'sending'))::int as waiting,
      count(*) filter (where m.status = 'sent')::int as sent, count(*) filter (where m.status = 'failed')::int as failed
    from theme_mailings g join theme_mails m on m.project_id = g.project_id and m.mailing_id = g.id
    where g.project_id = ${projectId} and g.id = ${mailingId} group by 1`
  return row
}
