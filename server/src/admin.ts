import { Console } from 'node:console'
import { parseArgs } from 'node:util'
import { addOrganization, addUser, loadOrganizationByName, loadUserByEmail } from './accounts/index.ts'
import { slices } from './app.ts'
import { addIntegration, listAllIntegrations, removeIntegration } from './integrations/index.ts'
import { isLongerThan } from './kernel/characters.ts'
import { ConfigError, readConfig } from './kernel/config.ts'
import type { Log, ProjectRole } from './kernel/context.ts'
import type { Sql } from './kernel/database.ts'
import { isStartFailure } from './kernel/embedded-postgres/index.ts'
import { AppError } from './kernel/errors.ts'
import { isCleanText, isUuid } from './kernel/http/validation.ts'
import { migrateQueue } from './kernel/jobs.ts'
import { migrate } from './kernel/migrate.ts'
import { type Wiring, wire } from './kernel/slice.ts'
import { databaseFault, openDatabase } from './open-database.ts'
import {
  addKey,
  addMember,
  addProject,
  KEY_KINDS,
  type KeyKind,
  listKeys,
  listProjects,
  loadProject,
  operatorCtx,
  type Project,
  revokeKey,
} from './projects/index.ts'
import { addLabel, addPhase, LABEL_COLORS } from './work-orders/index.ts'

/** The operator's command line. One JSON value on stdout; what went wrong on stderr, with exit code 1. */

type Flags = Record<string, string | boolean | undefined>

interface Command {
  usage: string
  flags: Record<string, 'text' | 'switch'>
  run(tools: Tools, flags: FlagReader): Promise<unknown>
}

interface Tools {
  sql: Sql
  wiring: Wiring
  log: Log
}

interface FlagReader {
  text(name: string): string
  optional(name: string): string | undefined
  oneOf<T extends string>(name: string, values: readonly T[], fallback?: T): T
  given(name: string): boolean
}

class UsageError extends Error {}

const PROJECT_ROLES: readonly ProjectRole[] = ['admin', 'editor', 'viewer']

const commands: Record<string, Command> = {
  'organization add': {
    usage: '--name NAME',
    flags: { name: 'text' },
    run: ({ sql }, flags) => addOrganization(sql, { name: flags.text('name') }),
  },
  'user add': {
    usage: '--email ADDRESS --name NAME [--organization NAME] [--super-admin]',
    flags: { email: 'text', name: 'text', organization: 'text', 'super-admin': 'switch' },
    async run({ sql }, flags) {
      const organization = await loadOrganizationByName(sql, flags.optional('organization'))
      const role = flags.given('super-admin') ? 'super_admin' : 'member'
      const user = await addUser(sql, {
        email: flags.text('email'),
        name: flags.text('name'),
        organizationId: organization.id,
        role,
      })
      return { ...user, organization_id: organization.id, organization_role: role }
    },
  },
  'project add': {
    usage: '--name NAME [--organization NAME]',
    flags: { name: 'text', organization: 'text' },
    async run({ sql, wiring, log }, flags) {
      const organization = await loadOrganizationByName(sql, flags.optional('organization'))
      return presentProject(
        await addProject({ db: sql, wiring, log }, { name: flags.text('name'), organizationId: organization.id }),
      )
    },
  },
  'project list': {
    usage: '',
    flags: {},
    run: async ({ sql }) =>
      (await listProjects(sql)).map((one) => ({ ...presentProject(one), organization: one.organization })),
  },
  'member add': {
    usage: '--project NAME_OR_ID --email ADDRESS --role admin|editor|viewer',
    flags: { project: 'text', email: 'text', role: 'text' },
    async run({ sql }, flags) {
      const role = flags.oneOf('role', PROJECT_ROLES)
      const project = await loadProject(sql, flags.text('project'))
      const user = await loadUserByEmail(sql, flags.text('email'))
      await addMember(sql, project, user.id, role)
      return { ...user, project_id: project.id, role }
    },
  },
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
  'label add': {
    usage: '--project NAME_OR_ID --title TITLE [--color COLOR]',
    flags: { project: 'text', title: 'text', color: 'text' },
    async run(tools, flags) {
      const label = {
        title: shortText('title', flags.text('title')),
        color: flags.oneOf('color', LABEL_COLORS, 'gray'),
      }
      return addLabel(await projectCtx(tools, flags), label)
    },
  },
  'phase add': {
    usage: '--project NAME_OR_ID --title TITLE',
    flags: { project: 'text', title: 'text' },
    async run(tools, flags) {
      const title = shortText('title', flags.text('title'))
      const phase = await addPhase(await projectCtx(tools, flags), { title })
      return { id: phase.id, phase_number: phase.phaseNumber, title: phase.title }
    },
  },
  'integration add': {
    usage: '--project NAME_OR_ID --email ADDRESS --name NAME (--url URL | --command NAME) [--token TOKEN]',
    flags: { project: 'text', email: 'text', name: 'text', url: 'text', command: 'text', token: 'text' },
    async run(tools, flags) {
      const ctx = await projectCtx(tools, flags)
      const owner = await loadUserByEmail(tools.sql, flags.text('email'))
      const { id, displayName } = await addIntegration(ctx, owner.id, {
        displayName: flags.text('name'),
        url: flags.optional('url'),
        commandName: flags.optional('command'),
        token: flags.optional('token') ?? process.env.INTEGRATION_TOKEN,
      })
      return { id, display_name: displayName, email: owner.email, project_id: ctx.actor.projectId }
    },
  },
  'integration list': {
    usage: '',
    flags: {},
    run: async ({ sql }) =>
      (await listAllIntegrations(sql)).map(({ displayName, commandName, ...one }) => ({
        ...one,
        display_name: displayName,
        command: commandName,
      })),
  },
  'integration remove': {
    usage: '--project NAME_OR_ID --id ID',
    flags: { project: 'text', id: 'text' },
    async run(tools, flags) {
      const ctx = await projectCtx(tools, flags)
      const { id, displayName } = await removeIntegration(ctx, null, flags.text('id'))
      return { id, display_name: displayName }
    },
  },
}

const presentProject = ({ id, name, organizationId }: Project) => ({ id, name, organization_id: organizationId })

function shortText(name: string, text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || isLongerThan(trimmed, 500) || !isCleanText(trimmed))
    throw new UsageError(`--${name} must have 1 to 500 characters and no control characters.`)
  return trimmed
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

const projectCtx = async ({ sql, wiring, log }: Tools, flags: FlagReader) =>
  operatorCtx({ db: sql, wiring, log }, await loadProject(sql, flags.text('project')))

function flagReader(flags: Flags): FlagReader {
  const optional = (name: string) => flags[name] as string | undefined
  const text = (name: string) => {
    const value = optional(name)
    if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`)
    return value
  }
  return {
    text,
    optional,
    given: (name) => flags[name] === true,
    oneOf(name, values, fallback) {
      const value = fallback === undefined ? text(name) : (optional(name) ?? fallback)
      if (!(values as readonly string[]).includes(value))
        throw new UsageError(`--${name} "${value}" is not possible. Use one of: ${values.join(', ')}.`)
      return value as (typeof values)[number]
    },
  }
}

function parse(args: string[]): { command: Command; flags: FlagReader } {
  const name = args.slice(0, 2).join(' ')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    const lines = Object.entries(commands).map(([one, { usage }]) => `  ${one} ${usage}`.trimEnd())
    throw new UsageError(`${name ? `There is no command "${name}". ` : ''}Commands:\n${lines.join('\n')}`)
  }
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([flag, kind]) => [
      flag,
      { type: kind === 'text' ? ('string' as const) : ('boolean' as const) },
    ]),
  )
  try {
    const flags = flagReader(parseArgs({ args: args.slice(2), options, strict: true }).values as Flags)
    // What the usage shows outside of brackets must be there: said before a database is opened for nothing.
    for (const [, flag] of command.usage.replace(/\[.*?\]|\(.*?\)/g, '').matchAll(/--(\S+)/g)) flags.text(flag!)
    return { command, flags }
  } catch (err) {
    throw new UsageError(`${(err as Error).message}\nUsage: ${name} ${command.usage}`)
  }
}

async function main(): Promise<void> {
  // Whoever reads stdout reads one JSON value there: what is logged goes elsewhere.
  const log = new Console(process.stderr)
  const { command, flags } = parse(process.argv.slice(2))
  const config = readConfig(process.env)
  const database = await openDatabase({ ...config, poolSize: 2, as: 'guest', log: () => undefined })
  try {
    await migrate(database.sql)
    await migrateQueue(database.sql, database.where)
    const result = await command.run({ sql: database.sql, wiring: wire(slices, config.settings), log }, flags)
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  } finally {
    await database.close()
  }
}

main().catch((err: unknown) => {
  const isClear =
    err instanceof UsageError || err instanceof ConfigError || err instanceof AppError || isStartFailure(err)
  console.error(isClear ? (err as Error).message : (databaseFault(err, process.env.DATABASE_URL) ?? err))
  process.exitCode = 1
})
