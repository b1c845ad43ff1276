import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { ThemeParams } from '../schema.ts'
import { loadMailingDraft, type MailingDraft } from './drafts.ts'
import type { Mailing } from './mailing.ts'
import { createMailing, listThemeMailings, listWrittenMails, retryMailing } from './mailings.ts'
import * as schema from './schema.ts'

const tags = ['Feedback']

/** Telling the people of a theme what came of it. Only people do: no key and no agent has these routes. */
export function registerMailingRoutes(face: Face) {
  face.get(
    '/feedback/themes/:theme_id/mailing_draft',
    operation({
      id: 'getMailingDraft',
      summary: 'Read what could be sent to the people of a theme',
      description: 'A draft for each language in which they wrote, once a work order of the theme is completed.',
      tags,
      params: ThemeParams,
      query: schema.DraftQuery,
      answer: schema.DraftData,
    }),
    async (req) => ({ data: presentDraft(await loadMailingDraft(req.ctx, req.params.theme_id, req.query.again)) }),
  )

  face.get(
    '/feedback/themes/:theme_id/mailings',
    operation({
      id: 'listMailings',
      summary: 'List what the people of a theme were told, newest first',
      tags,
      params: ThemeParams,
      answer: schema.MailingItems,
    }),
    async (req) => ({ items: (await listThemeMailings(req.ctx, req.params.theme_id)).map(present) }),
  )

  face.post(
    '/feedback/themes/:theme_id/mailings',
    operation({
      id: 'createMailing',
      summary: 'Tell the people of a theme that its work is done',
      description:
        'Sends one mail to each person who was not told yet and wants mail, at most once. With `by_hand`, it only records that they are told.',
      tags,
      params: ThemeParams,
      body: schema.MailingBody,
      answers: { 201: schema.MailingData },
      refuses: [409],
    }),
    async (req, reply) => {
      const { texts, by_hand: byHand = false, again = false, resolves_theme: resolvesTheme = false } = req.body
      const mailing = await createMailing(req.ctx, req.params.theme_id, { texts, byHand, again, resolvesTheme })
      reply.code(201)
      return { data: present(mailing) }
    },
  )

  face.post(
    '/feedback/mailings/:mailing_id/retry',
    operation({
      id: 'retryMailing',
      summary: 'Send the mails that failed once more',
      tags,
      params: schema.MailingParams,
      body: schema.RetryBody,
      answer: schema.MailingData,
      refuses: [409],
      optionalBody: true,
    }),
    async (req) => {
      const { includes_uncertain: includesUncertain = false } = req.body
      return { data: present(await retryMailing(req.ctx, req.params.mailing_id, includesUncertain)) }
    },
  )

  face.get(
    '/feedback/mailings/:mailing_id/mails',
    operation({
      id: 'listWrittenMails',
      summary: 'List the mails of a mailing as they are sent, to send them by hand',
      tags,
      params: schema.MailingParams,
      answer: schema.MailItems,
    }),
    async (req) => ({ items: await listWrittenMails(req.ctx, req.params.mailing_id) }),
  )
}

const presentDraft = ({ from, people, told, unsubscribed, completedWork, drafts }: MailingDraft) => ({
  from,
  people_count: people,
  told_count: told,
  unsubscribed_count: unsubscribed,
  completed_work_orders: completedWork.map(({ id, workOrderNumber, title, completedAt }) => ({
    id,
    display_id: `WO-${workOrderNumber}`,
    title,
    completed_at: completedAt,
  })),
  drafts: drafts.map(({ people: count, example: { endUserEmail, date, quote }, ...text }) => ({
    ...text,
    people_count: count,
    example: { end_user_email: endUserEmail, date, quote },
  })),
})

const NONE = { waiting: 0, sending: 0, sent: 0, copied: 0, failed: 0, unsubscribed: 0 }

const present = (mailing: Mailing) => ({
  object: 'mailing' as const,
  id: mailing.id,
  theme_id: mailing.themeId,
  created_at: mailing.createdAt,
  created_by: mailing.createdBy,
  is_by_hand: mailing.byHand,
  counts: { ...NONE, ...mailing.counts },
  failures: mailing.faults.map(({ endUserEmail, reason, isUncertain }) => ({
    end_user_email: endUserEmail,
    reason,
    is_uncertain: isUncertain,
  })),
})
