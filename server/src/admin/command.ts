import { parseArgs } from 'node:util'
import { isLongerThan } from '../engines/text/characters.ts'
import type { Log } from '../kernel/context.ts'
import type { Sql } from '../kernel/database/index.ts'
import { isCleanText } from '../kernel/http/validation.ts'
import type { Wiring } from '../kernel/slice.ts'
import { loadProject, operatorCtx } from '../product/projects/index.ts'

type Flags = Record<string, string | boolean | undefined>

export interface Command {
  usage: string
  flags: Record<string, 'text' | 'switch'>
  run(tools: Tools, flags: FlagReader): Promise<unknown>
}

export interface Tools {
  sql: Sql
  wiring: Wiring
  log: Log
}

export interface FlagReader {
  text(name: string): string
  optional(name: string): string | undefined
  oneOf<T extends string>(name: string, values: readonly T[], fallback?: T): T
  given(name: string): boolean
}

export class UsageError extends Error {}

export function shortText(name: string, text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || isLongerThan(trimmed, 500) || !isCleanText(trimmed))
    throw new UsageError(`--${name} must have 1 to 500 characters and no control characters.`)
  return trimmed
}

export const projectCtx = async ({ sql, wiring, log }: Tools, flags: FlagReader) =>
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

export const describeCommands = (commands: Record<string, Command>) =>
  `Commands:\n${Object.entries(commands)
    .map(([name, { usage }]) => `  ${name} ${usage}`.trimEnd())
    .join('\n')}`

/** Returns the command that the arguments name, and its flags. */
export function parse(commands: Record<string, Command>, args: string[]): { command: Command; flags: FlagReader } {
  const name = args.slice(0, 2).join(' ')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`${name ? `There is no command "${name}". ` : ''}${describeCommands(commands)}`)
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([flag, kind]) => [
      flag,
      { type: kind === 'text' ? ('string' as const) : ('boolean' as const) },
    ]),
  )
  try {
    const flags = flagReader(parseArgs({ args: args.slice(2), options, strict: true }).values as Flags)
    // Flags outside of brackets in the usage are required. Checks them before opening a database.
    for (const [, flag] of command.usage.replace(/\[.*?\]|\(.*?\)/g, '').matchAll(/--(\S+)/g)) flags.text(flag!)
    return { command, flags }
  } catch (err) {
    throw new UsageError(`${(err as Error).message}\nUsage: ${name} ${command.usage}`)
  }
}
