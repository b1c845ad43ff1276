import type { Mailing, MailingDraft } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { callOf } from '../../../lib/client.ts'
import { feedbackKey } from '../../api.ts'

export type { Mailing, MailingDraft }
export type LanguageDraft = MailingDraft['drafts'][number]

/** What could be sent to the people of a theme. With `again`, also to those who were told. */
export const draftQuery = (projectId: string, themeId: string, again: boolean) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'mailing-draft', themeId, again],
    queryFn: async ({ signal }) =>
      (await api.feedback(callOf(projectId)).getMailingDraft(themeId, { again }, { signal })).data,
  })

export const mailingsQuery = (projectId: string, themeId: string) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'mailings', themeId],
    queryFn: async ({ signal }) => (await api.feedback(callOf(projectId)).listMailings(themeId, { signal })).items,
  })

export const readWrittenMails = async (projectId: string, mailingId: string) =>
  (await api.feedback(callOf(projectId)).listWrittenMails(mailingId)).items
