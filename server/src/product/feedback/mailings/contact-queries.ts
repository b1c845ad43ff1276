import type { Db, Tx } from '../../../kernel/database/index.ts'

export interface Contact {
  projectId: string
  person: string
  language: string
  isUnsubscribed: boolean
}

/** The token is all that somebody outside of the project has. It names the project too. */
export async function findContact(db: Db, token: string): Promise<Contact | undefined> {
  const [row] = await db<Contact[]>`
    select project_id as "projectId", person, language, unsubscribed_at is not null as "isUnsubscribed"
    from feedback_contacts where token = ${token}`
  return row
}

/** Takes what still waits for them out of every mailing. Returns false if they had unsubscribed before. */
export async function unsubscribeContact(db: Tx, { projectId, person }: Contact): Promise<boolean> {
  const changed = await db<{ person: string }[]>`
    update feedback_contacts set unsubscribed_at = now()
    where project_id = ${projectId} and person = ${person} and unsubscribed_at is null returning person`
  await db`
    update theme_mails set status = 'unsubscribed', error = null
    where project_id = ${projectId} and person = ${person} and status in ('waiting', 'failed')`
  return changed.length > 0
}
