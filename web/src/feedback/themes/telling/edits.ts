import * as api from '@slipway/sdk/resources'
import { callOf } from '../../../lib/client.ts'
import { countOf } from '../../../lib/numbers.ts'
import { defineWrite } from '../../../lib/outbox/index.ts'
import { showToast } from '../../../lib/toasts.ts'
import type { ThemeRow } from '../api.ts'
import { reloadFeedback } from '../cache.ts'
import type { Mailing } from './api.ts'
import type { MailText } from './texts.ts'

/* Mail is sent now or not at all: nobody expects it hours later. */

interface Telling {
  row: ThemeRow
  texts: MailText[]
  byHand: boolean
  again: boolean
  resolves: boolean
}

export const tellPeople = defineWrite<Telling, Mailing>({
  name: 'feedback.tell',
  waits: false,
  about: ({ row }) => ({ subjects: [row.id] }),
  send: async ({ row, texts, byHand, again, resolves }, { projectId, key }) => {
    const body = { texts, by_hand: byHand, again, resolves_theme: resolves }
    return (await api.feedback(callOf(projectId)).createMailing(row.id, body, { idempotencyKey: key })).data
  },
  saved({ counts: { waiting } }, { row, byHand }, { projectId }) {
    reloadFeedback(projectId)
    if (!byHand) showToast({ text: `${countOf(waiting, 'mail')} about ${row.display_id} on the way` })
  },
  failure: ({ row }) => `Nobody was told about ${row.display_id}`,
})

interface Retrying {
  mailing: Mailing
  includesUncertain: boolean
}

export const retryMails = defineWrite<Retrying, unknown>({
  name: 'feedback.tell-retry',
  waits: false,
  about: ({ mailing }) => ({ subjects: [mailing.theme_id] }),
  send: ({ mailing, includesUncertain }, { projectId, key }) =>
    api
      .feedback(callOf(projectId))
      .retryMailing(mailing.id, { includes_uncertain: includesUncertain }, { idempotencyKey: key }),
  saved: (_answer, _input, { projectId }) => reloadFeedback(projectId),
  failure: () => 'The mails were not sent again',
})
