import { type Db, inTransaction } from '../../../kernel/database/index.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { checkMail, mailSettings, openMail, sendMail } from '../../../kernel/mail.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { findProject, operatorCtx } from '../../projects/index.ts'
import { themeEvents } from '../events.ts'
import { writeMail } from './mailing.ts'
import * as queries from './sending-queries.ts'

export const SEND = 'send_theme_mails'
/** Then the mails of others have their turn. */
const AT_ONCE = 20
/** Longer than any mail takes. */
const ABANDONED_AFTER_MIN = 10

interface Place {
  projectId: string
  mailingId: string
}

/**
 * Sends mails of one mailing. A mail is marked before it is sent and never taken up again by itself, so nobody gets it
 * twice, whenever the process ends.
 */
export async function sendMails(payload: unknown, deps: JobDeps): Promise<void> {
  const place = payload as Place
  const server = deps.wiring.settings.of(mailSettings)
  if (!server) return giveUp(deps, place, 'This server cannot send mail any more. Ask the operator to set SMTP_URL.')
  const connection = await openMail(server)
  try {
    const fault = await checkMail(connection)
    if (fault) return await giveUp(deps, place, fault.reason)
    for (let sent = 0; sent < AT_ONCE; sent++) {
      const mail = await claim(deps.db, place, server.perHour)
      if (!mail) return await finish(deps, place)
      const { texts, baseUrl, token, ...to } = mail
      const failure = await sendMail(connection, writeMail(texts, to, baseUrl, token))
      await queries.settleMail(deps.db, place.projectId, place.mailingId, mail.person, failure)
    }
    await enqueue(deps.db, SEND, [place])
  } finally {
    connection.close()
  }
}

const claim = (db: Db, { projectId, mailingId }: Place, perHour: number) =>
  inTransaction({ db }, async ({ db }) => {
    await queries.lockMails(db, projectId)
    return queries.claimMail(db, projectId, mailingId, perHour)
  })

async function giveUp(deps: JobDeps, place: Place, reason: string): Promise<void> {
  await queries.failWaiting(deps.db, place.projectId, place.mailingId, reason)
  await finish(deps, place)
}

/** Records how a mailing ended. What waits for the next hour is taken up by `continueMailings`. */
async function finish(deps: JobDeps, { projectId, mailingId }: Place): Promise<void> {
  const project = await findProject(deps.db, projectId)
  const progress = await queries.findProgress(deps.db, projectId, mailingId)
  if (!project || !progress || progress.waiting > 0) return
  const { themeId, sent, failed } = progress
  const payload = { mailing_id: mailingId, sent_count: sent, failed_count: failed }
  await inTransaction(operatorCtx(deps, project), (ctx) => recordEvent(ctx, themeEvents.mails_sent(themeId, payload)))
}

/** Every minute: continues what a crash or the limit per hour interrupted. */
export async function continueMailings(_payload: unknown, deps: JobDeps): Promise<void> {
  const abandoned = await queries.failAbandoned(deps.db, ABANDONED_AFTER_MIN)
  for (const place of abandoned) await finish(deps, place)
  const idle = await queries.listIdleMailings(deps.db)
  if (idle.length > 0) await enqueue(deps.db, SEND, idle)
}
