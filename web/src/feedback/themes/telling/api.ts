import type { Mailing, MailingDraft } from '@slipway/sdk'
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '../../../lib/client.ts'
import { feedbackKey } from '../../api.ts'

export type { Mailing, MailingDraft }
export type LanguageDraft = MailingDraft['drafts'][number]

/** What could be sent to the people of a theme. With `again`, also to those who were told. */
export const draftQuery = (projectId: string, themeId: string, again: boolean) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'mailing-draft', themeId, again],
    queryFn: async ({ signal }) =>
      (await clientOf(projectId).feedback.getMailingDraft(themeId, { again }, { signal })).data,
  })

export const mailingsQuery = (projectId: string, themeId: string) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'mailings', themeId],
    queryFn: async ({ signal }) => (await clientOf(projectId).feedback.listMailings(themeId, { signal })).items,
  })

export const readWrittenMails = async (projectId: string, mailingId: string) =>
  (await clientOf(projectId).feedback.listWrittenMails(mailingId)).items
