import { loadUserByEmail } from '../accounts/index.ts'
import { isUuid } from '../kernel/http/validation.ts'
import { addKey, KEY_KINDS, type KeyKind, listKeys, loadProject, revokeKey } from '../projects/index.ts'
import { type Command, shortText, UsageError } from './command.ts'

export const keyCommands: Record<string, Command> = {
  'key add': {
    usage:
      '--kind external|reporting --project NAME_OR_ID --email ADDRESS [--name NAME] [--expires TIME] [--origins ORIGIN,…]',
    flags: { kind: 'text', project: 'text', email: 'text', name: 'text', expires: 'text', origins: 'text' },
    async run({ sql }, flags) {
      const kind = flags.oneOf('kind', KEY_KINDS)
      const expiresAt = futureTime(flags.optional('expires'))
      const allowedOrigins = originList(kind, flags.optional('origins'))
      const project = await loadProject(sql, flags.text('project'))
      const user = await loadUserByEmail(sql, flags.text('email'))
      return addKey(sql, {
        kind,
        projectId: project.id,
        userId: user.id,
        name: shortText('name', flags.optional('name') ?? `${kind} key of ${user.name}`),
        ...(expiresAt && { expiresAt }),
        ...(allowedOrigins && { allowedOrigins }),
      })
    },
  },
  'key list': { usage: '', flags: {}, run: async ({ sql }) => [...(await listKeys(sql))] },
  'key revoke': {
    usage: '--id ID',
    flags: { id: 'text' },
    run({ sql }, flags) {
      const id = flags.text('id')
      if (!isUuid(id)) throw new UsageError(`--id "${id}" is not the id of a key. See "key list".`)
      return revokeKey(sql, id)
    },
  },
}

function futureTime(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, day] = /^(\d{4}-\d\d-\d\d)(T|$)/.exec(text) ?? []
  const time = day !== undefined && isDay(day) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new UsageError(`--expires "${text}" is not a time. Write it like 2027-01-31 or 2027-01-31T12:00:00Z.`)
  if (time <= Date.now()) throw new UsageError(`--expires "${text}" is in the past.`)
  return new Date(time).toISOString()
}

/** Date.parse takes February 31 for March 3, and a month 13 for no time at all. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** As browsers send them: scheme, host and port, nothing behind. */
function originList(kind: KeyKind, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  if (kind !== 'reporting') throw new UsageError('--origins is only for keys of the kind "reporting".')
  return text.split(',').map((one) => {
    const origin = one.trim()
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (!url || !/^https?:$/.test(url.protocol) || url.origin !== origin.toLowerCase())
      throw new UsageError(`--origins "${origin}" is not an origin. Write it like https://shop.example.org.`)
    return url.origin
  })
}
