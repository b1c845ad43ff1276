import { cut } from '../../../engines/text/characters.ts'
import type { Mail } from '../../../kernel/mail.ts'
import { DATE, DEFAULT_LANGUAGE, QUOTE, TEMPLATES } from './templates.ts'

export const MAIL_STATUSES = ['waiting', 'sending', 'sent', 'copied', 'failed', 'unsubscribed'] as const
export type MailStatus = (typeof MAIL_STATUSES)[number]

/** Larger themes are told in several mailings. */
export const MOST_PEOPLE = 2_000
const QUOTE_LENGTH = 200

export interface MailText {
  language: string
  subject: string
  text: string
}

/** Whom a mail goes to, and the words of theirs that it repeats. */
export interface Recipient {
  person: string
  endUserEmail: string
  language: string
  textExcerpt: string
  reportedAt: string
}

export interface MailFault {
  endUserEmail: string
  reason: string
  isUncertain: boolean
}

export interface Mailing {
  id: string
  themeId: string
  createdAt: string
  createdBy: { id: string; name: string; email: string } | null
  byHand: boolean
  texts: MailText[]
  counts: Partial<Record<MailStatus, number>>
  /** The first of those that failed. */
  faults: MailFault[]
}

export const dateIn = (language: string, at: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))

export const quoteOf = (excerpt: string) => {
  const line = excerpt.replace(/\s+/g, ' ').trim()
  const short = cut(line, QUOTE_LENGTH)
  return short.length < line.length ? `${short.trimEnd()}…` : short
}

/** Writes the mail to one person. It is plain text: nothing in a customer's words can become anything else. */
export function writeMail(texts: MailText[], { language, ...to }: Recipient, baseUrl: string, token: string): Mail {
  const written = texts.find((one) => one.language === language) ?? texts.find(isDefault) ?? texts[0]!
  const filled = (text: string) =>
    text.replace(/\{date\}|\{quote\}/g, (field) =>
      field === DATE ? dateIn(written.language, to.reportedAt) : quoteOf(to.textExcerpt),
    )
  const unsubscribeUrl = `${baseUrl}/unsubscribe/${token}`
  const { unsubscribe } = TEMPLATES[written.language] ?? TEMPLATES[DEFAULT_LANGUAGE]!
  return {
    to: to.endUserEmail,
    subject: filled(written.subject).replace(/\s+/g, ' ').trim(),
    text: `${filled(written.text).trimEnd()}\n\n-- \n${unsubscribe}\n${unsubscribeUrl}\n`,
    unsubscribeUrl,
  }
}

const isDefault = ({ language }: MailText) => language === DEFAULT_LANGUAGE

export { DATE, QUOTE }
