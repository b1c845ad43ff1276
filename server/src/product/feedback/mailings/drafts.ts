import type { Ctx } from '../../../kernel/context.ts'
import { mailSettings } from '../../../kernel/mail.ts'
import { loadTheme } from '../themes/open-theme.ts'
import { readLanguages } from '../triage/read-texts.ts'
import { dateIn, type MailText, MOST_PEOPLE, quoteOf, type Recipient } from './mailing.ts'
import {
  type CompletedWork,
  countPeople,
  listCompletedWork,
  listPeopleToTell,
  type PeopleCounts,
} from './mailing-queries.ts'
import { draftLanguage, TEMPLATES } from './templates.ts'

export interface Draft extends MailText {
  /** How many people it goes to. */
  people: number
  /** How its fields are filled for the first of them. */
  example: { endUserEmail: string; date: string; quote: string }
}

export interface MailingDraft extends PeopleCounts {
  /** How the mails are signed. Null if the server cannot send mail, so that they are copied. */
  from: string | null
  completedWork: CompletedWork[]
  /** One for each language, that of most people first. None if nobody is left to be told. */
  drafts: Draft[]
}

/** What could be sent to the people of a theme, and to whom. With `again`, also to those who were told before. */
export async function loadMailingDraft(ctx: Ctx, themeId: string, again: boolean): Promise<MailingDraft> {
  const { db, actor, wiring } = ctx
  const theme = await loadTheme(ctx, themeId)
  const completedWork = await listCompletedWork(db, actor.projectId, theme.id)
  const recipients = completedWork.length > 0 ? await listRecipients(ctx, theme.id, again) : []
  const languages = [...new Set(recipients.map(({ language }) => language))]
  const drafts = languages.map((language) => {
    const people = recipients.filter((one) => one.language === language)
    const { subject, text } = TEMPLATES[language]!
    const { endUserEmail, textExcerpt, reportedAt } = people[0]!
    const example = { endUserEmail, date: dateIn(language, reportedAt), quote: quoteOf(textExcerpt) }
    return { language, subject, text, people: people.length, example }
  })
  return {
    ...(await countPeople(db, actor.projectId, theme.id)),
    from: wiring.settings.of(mailSettings)?.from ?? null,
    completedWork,
    drafts: drafts.sort((a, b) => b.people - a.people),
  }
}

/** Whom a mailing would go to, each with the language of the newest report. */
export async function listRecipients(
  ctx: Ctx,
  themeId: string,
  again: boolean,
): Promise<(Recipient & { words: string })[]> {
  const { projectId } = ctx.actor
  const people = await listPeopleToTell(ctx.db, projectId, themeId, { again, limit: MOST_PEOPLE })
  if (people.length === 0) return []
  const texts = people.map(({ words }) => words)
  const languages = await readLanguages(projectId, texts)
  return people.map((one, index) => ({ ...one, language: draftLanguage(languages[index]) }))
}
