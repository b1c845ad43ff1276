import type { Transporter } from 'nodemailer'
import { ConfigError } from './environment.ts'
import type { SliceSettings } from './settings.ts'

/** Where the server hands over its mails. */
export interface MailServer {
  url: string
  /** A name and an address, as recipients see them. */
  from: string
  /** How many mails a project may send within an hour. 0 means no limit. */
  perHour: number
}

export const mailSettings: SliceSettings<MailServer | undefined> = {
  read(env) {
    const url = env.optional('SMTP_URL')
    const from = env.optional('SMTP_FROM')
    const perHour = env.whole('MAILS_PER_HOUR', 500, 0, 1_000_000)
    if (url === undefined && from === undefined) return undefined
    if (url === undefined || from === undefined)
      throw new ConfigError('SMTP_URL and SMTP_FROM must both be set, or neither.')
    if (!/^smtps?:\/\/./.test(url) || !URL.canParse(url))
      throw new ConfigError('SMTP_URL must look like "smtp://user:password@mail.example.org:587".')
    if (!/^[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>$|^[^\s@<>]+@[^\s@<>]+$/.test(from))
      throw new ConfigError(`SMTP_FROM="${from}" must look like "Harbor <hello@harbor.example>".`)
    return { url, from, perHour }
  },
}

export interface Mail {
  to: string
  subject: string
  text: string
  /** Takes a POST that unsubscribes (RFC 8058). */
  unsubscribeUrl: string
}

export interface MailFailure {
  reason: string
  /** The server may have taken the mail before the connection broke. */
  isUncertain: boolean
}

const CONNECT_WITHIN_MS = 10_000
const SILENT_FOR_MS = 30_000

export type MailConnection = Transporter

/** The library is loaded only where there is a mail to send. */
export async function openMail({ url, from }: MailServer): Promise<MailConnection> {
  const { createTransport } = await import('nodemailer')
  const timeouts = { connectionTimeout: CONNECT_WITHIN_MS, greetingTimeout: CONNECT_WITHIN_MS }
  return createTransport({ ...timeouts, url, socketTimeout: SILENT_FOR_MS, dnsTimeout: CONNECT_WITHIN_MS }, { from })
}

/** Signs in and out. Returns why the server cannot be used, if it cannot. */
export const checkMail = (connection: MailConnection): Promise<MailFailure | undefined> =>
  connection.verify().then(
    () => undefined,
    (err: SmtpError) => ({ reason: reasonOf(err), isUncertain: false }),
  )

export async function sendMail(connection: MailConnection, mail: Mail): Promise<MailFailure | undefined> {
  const { to, subject, text, unsubscribeUrl } = mail
  const headers = {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Auto-Submitted': 'auto-generated',
  }
  try {
    // As an object, an address stays one address whatever is in it.
    await connection.sendMail({
      to: { name: '', address: to },
      subject,
      text,
      headers,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return undefined
  } catch (err) {
    return { reason: reasonOf(err as SmtpError), isUncertain: isUncertain(err as SmtpError) }
  }
}

interface SmtpError extends Error {
  code?: string
  syscall?: string
  response?: string
  responseCode?: number
}

const NEVER_SENT = ['EAUTH', 'EDNS', 'EENVELOPE']

/** A server that answered has refused the mail. Without an answer, the mail may be on its way. */
const isUncertain = ({ responseCode, code, syscall }: SmtpError) =>
  responseCode === undefined && syscall !== 'connect' && !NEVER_SENT.includes(code ?? '')

function reasonOf({ response, responseCode, message }: SmtpError): string {
  const text = (response ?? message ?? '').replace(/\s+/g, ' ').trim()
  return (responseCode === undefined ? `The mail server: ${text}` : `The mail server answered: ${text}`).slice(0, 300)
}
