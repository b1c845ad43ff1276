import { isDeepStrictEqual } from 'node:util'
import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { OutdatedError, untilCurrent } from '../../../kernel/database/until-current.ts'
import { conflict, forbidden, invalid, notFound } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { type Mail, mailSettings } from '../../../kernel/mail.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { authorizeWrite } from '../../projects/index.ts'
import { themeEvents } from '../events.ts'
import { loadTheme, openTheme } from '../themes/open-theme.ts'
import { changeTheme } from '../themes/themes.ts'
import { listRecipients } from './drafts.ts'
import { type Mailing, type MailText, MOST_PEOPLE, type Recipient, writeMail } from './mailing.ts'
import * as queries from './mailing-queries.ts'
import { SEND } from './sending.ts'

interface NewMailing {
  texts: MailText[]
  /** A person sends the mails with another program. */
  byHand: boolean
  /** Also to those who were told before. */
  again: boolean
  resolvesTheme: boolean
}

/**
 * Tells the people of a theme that its work is done. Who is told is decided under the lock of the theme, so two clicks tell
 * nobody twice.
 */
export async function createMailing(ctx: Ctx, themeId: string, wanted: NewMailing): Promise<Mailing> {
  await loadTheme(ctx, themeId)
  authorizeWrite(ctx.actor)
  if (ctx.actor.origin !== 'user') throw forbidden('people_only', 'Only a person can write to customers.')
  if (!wanted.byHand && !ctx.wiring.settings.of(mailSettings)) throw cannotSend()
  refuseRepeated(wanted.texts)
  return untilCurrent(ctx.db, themeId, async () => {
    const recipients = await listRecipients(ctx, themeId, wanted.again)
    return inTransaction(ctx, (ctx) => storeMailing(ctx, themeId, wanted, recipients))
  })
}

async function storeMailing(
  ctx: TxCtx,
  themeId: string,
  wanted: NewMailing,
  recipients: (Recipient & { words: string })[],
): Promise<Mailing> {
  const { projectId, userId } = ctx.actor
  const theme = await openTheme(ctx, themeId)
  if ((await queries.listCompletedWork(ctx.db, projectId, theme.id)).length === 0) throw nothingCompleted(theme.title)
  const people = await queries.listPeopleToTell(ctx.db, projectId, theme.id, {
    again: wanted.again,
    limit: MOST_PEOPLE,
  })
  if (
    !isDeepStrictEqual(
      people,
      recipients.map(({ language: _, ...one }) => one),
    )
  )
    throw new OutdatedError()
  if (recipients.length === 0) throw nobodyLeft(theme.title)
  const id = uuidv7()
  const { texts, byHand } = wanted
  await queries.insertMailing(ctx.db, projectId, {
    id,
    themeId: theme.id,
    createdBy: userId,
    byHand,
    baseUrl: ctx.baseUrl,
    texts,
  })
  await queries.insertMails(ctx.db, projectId, id, byHand ? 'copied' : 'waiting', recipients.map(withoutWords))
  if (!byHand) await enqueue(ctx.db, SEND, [{ projectId, mailingId: id }])
  // Without addresses: webhooks show the payload.
  const payload = { mailing_id: id, people_count: recipients.length, is_by_hand: byHand }
  await recordEvent(ctx, themeEvents.people_told(theme.id, payload))
  if (wanted.resolvesTheme) await changeTheme(ctx, theme.id, { status: 'resolved' })
  return loadMailing(ctx, id)
}

/** Sends what failed once more, and what may have arrived only if the caller says so. */
export function retryMailing(ctx: Ctx, id: string, includesUncertain: boolean): Promise<Mailing> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const { themeId } = await loadMailing(ctx, id)
    authorizeWrite(ctx.actor)
    if (!ctx.wiring.settings.of(mailSettings)) throw cannotSend()
    const retried = await queries.retryMails(ctx.db, projectId, id, { baseUrl: ctx.baseUrl, includesUncertain })
    if (retried > 0) {
      await enqueue(ctx.db, SEND, [{ projectId, mailingId: id }])
      const payload = { mailing_id: id, people_count: retried }
      await recordEvent(ctx, themeEvents.mails_retried(themeId, payload))
    }
    return loadMailing(ctx, id)
  })
}

/** The mails as they are sent, for a person who sends them with another program. */
export async function listWrittenMails(ctx: Ctx, id: string): Promise<Mail[]> {
  await loadMailing(ctx, id)
  authorizeWrite(ctx.actor)
  const mails = await queries.listMails(ctx.db, ctx.actor.projectId, id)
  return mails.map(({ texts, baseUrl, token, ...to }) => writeMail(texts, to, baseUrl, token))
}

export const listThemeMailings = async (ctx: Ctx, themeId: string): Promise<Mailing[]> => {
  const { id } = await loadTheme(ctx, themeId)
  return queries.listMailings(ctx.db, ctx.actor.projectId, { themeId: id })
}

async function loadMailing({ db, actor }: Ctx | TxCtx, id: string): Promise<Mailing> {
  const [mailing] = await queries.listMailings(db, actor.projectId, { id })
  if (!mailing) throw notFound('mailing', id)
  return mailing
}

const withoutWords = ({ words: _, ...recipient }: Recipient & { words: string }) => recipient

function refuseRepeated(texts: MailText[]): void {
  const again = texts.findIndex(({ language }, at) => texts.findIndex((one) => one.language === language) < at)
  if (again === -1) return
  const detail = `There are two texts for the language "${texts[again]!.language}". Send one.`
  throw invalid([{ pointer: `/texts/${again}/language`, detail }])
}

const cannotSend = () =>
  conflict(
    'mail_not_configured',
    'This server cannot send mail. Send the mails by hand ("by_hand": true), or ask the operator to set SMTP_URL.',
  )

const nothingCompleted = (title: string) =>
  conflict('nothing_completed', `No work order of "${title}" is completed. Complete one before you tell people.`)

const nobodyLeft = (title: string) =>
  conflict('nobody_to_tell', `Everybody who reported "${title}" was told or does not want mail.`)
