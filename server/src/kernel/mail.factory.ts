import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A real mail server that keeps what it is given. */
export async function openMailServer() {
  const mails: { to: string; source: string }[] = []
  /** What it answers to a recipient: an error refuses it. A promise keeps it waiting. */
  let judge: (to: string) => unknown = () => undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const to = session.envelope.rcptTo[0]!.address
      text(stream)
        .then(async (source) => {
          const error = await judge(to)
          if (!error) mails.push({ to, source })
          done(error as Error | undefined)
        })
        .catch(done)
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    mails,
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_FROM: 'Harbor <shop@harbor.example>' },
    judge(rule: (to: string) => unknown) {
      judge = rule
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** The text of a mail as its reader sees it. */
export function readMail(source: string) {
  const [head, ...rest] = source.split('\r\n\r\n')
  const headers = Object.fromEntries(
    head!
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  const body = rest.join('\r\n\r\n')
  const encoding = headers['content-transfer-encoding']
  const bytes =
    encoding === 'base64' ? Buffer.from(body, 'base64') : encoding === 'quoted-printable' ? unquoted(body) : body
  return { headers, body: bytes.toString('utf8').replaceAll('\r\n', '\n') }
}

const unquoted = (body: string) =>
  Buffer.from(
    body
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
