import type { Sql } from '../kernel/database/index.ts'
import { isUuid } from '../kernel/uuid.ts'
import { loadUserByEmail } from '../product/accounts/index.ts'
import {
  addKey,
  KEY_KINDS,
  type KeyFilter,
  type KeyKind,
  listKeys,
  loadKey,
  loadKeyByName,
  loadProject,
  operatorCtx,
  PROJECT_ROLES,
  readOrigin,
  revokeKey,
} from '../product/projects/index.ts'
import { type Command, type FlagReader, projectCtx, shortText, UsageError } from './command.ts'

export const keyCommands: Record<string, Command> = {
  'key add': {
    usage:
      '--kind external|reporting --project NAME_OR_ID --email ADDRESS [--role admin|editor|viewer] [--name NAME] [--expires TIME] [--origins ORIGIN,…]',
    flags: {
      kind: 'text',
      project: 'text',
      email: 'text',
      role: 'text',
      name: 'text',
      expires: 'text',
      origins: 'text',
    },
    async run(tools, flags) {
      const kind = flags.oneOf('kind', KEY_KINDS)
      const expiresAt = futureTime(flags.optional('expires'))
      const allowedOrigins = originList(kind, flags.optional('origins'))
      const ctx = await projectCtx(tools, flags)
      const user = await loadUserByEmail(tools.sql, flags.text('email'))
      return addKey(ctx, {
        kind,
        userId: user.id,
        role: flags.optional('role') === undefined ? undefined : flags.oneOf('role', PROJECT_ROLES),
        name: shortText('name', flags.optional('name') ?? `${kind} key of ${user.name}`),
        ...(expiresAt && { expiresAt }),
        ...(allowedOrigins && { allowedOrigins }),
      })
    },
  },
  'key list': {
    usage: '[--project NAME_OR_ID] [--kind external|reporting] [--name NAME]',
    flags: { project: 'text', kind: 'text', name: 'text' },
    run: async ({ sql }, flags) => [...(await listKeys(sql, await filterOf(sql, flags)))],
  },
  'key revoke': {
    usage: '(--id ID | --name NAME) [--project NAME_OR_ID] [--kind external|reporting]',
    flags: { id: 'text', name: 'text', project: 'text', kind: 'text' },
    async run({ sql, wiring, log }, flags) {
      const [id, name] = [flags.optional('id'), flags.optional('name')]
      if ((id === undefined) === (name === undefined))
        throw new UsageError('Name the key by either --id or --name. See "key list".')
      if (id !== undefined && !isUuid(id)) throw new UsageError(`--id "${id}" is not the id of a key. See "key list".`)
      const key =
        id === undefined
          ? await loadKeyByName(sql, { ...(await filterOf(sql, flags)), name: name! })
          : await loadKey(sql, id)
      const project = await loadProject(sql, key.project_id)
      return revokeKey(operatorCtx({ db: sql, wiring, log }, project), key.id)
    },
  },
}

async function filterOf(sql: Sql, flags: FlagReader): Promise<KeyFilter> {
  const project = flags.optional('project')
  return {
    projectId: project === undefined ? undefined : (await loadProject(sql, project)).id,
    kind: flags.optional('kind') === undefined ? undefined : flags.oneOf('kind', KEY_KINDS),
    name: flags.optional('name'),
  }
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

/** Date.parse turns February 31 into March 3, and rejects month 13. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

function originList(kind: KeyKind, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  if (kind !== 'reporting') throw new UsageError('--origins is only for keys of the kind "reporting".')
  return text.split(',').map((one) => {
    const origin = readOrigin(one)
    if (!origin)
      throw new UsageError(`--origins "${one.trim()}" is not an origin. Write it like https://shop.example.org.`)
    return origin
  })
}
