import { items, type KeyClient } from '@slipway/sdk'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import { print, printJson, show, showFields } from '../output.ts'
import { open, watching } from '../session.ts'
import { first, isUuid } from './found.ts'
import { whole } from './work-order.ts'

const DECISIONS = { cancel: 'Cancel a run', retry: 'Do a failed or cancelled run again' }

export function addAutomations(program: Command): void {
  const automations = program.command('automations').description('Automations and their runs')

  automations
    .command('list', { isDefault: true })
    .description('List automations')
    .option('--watch', 'show them again when they change')
    .action(async ({ watch }, command: Command) => {
      const { client, asJson } = await open(command)
      await watching(watch, async () => {
        const { items: found } = await client.automations.list()
        const columns = ['name', 'enabled', 'owner.display_name', 'total_runs_30d', 'failed_runs_30d', 'id']
        return () => show(found, columns, asJson)
      })
    })

  automations
    .command('get <automation>')
    .description('Read an automation, by its name or id')
    .action(async (name: string, _options, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client.automations.get(await idOf(client, name))
      if (asJson) return printJson(data)
      showFields(data, ['name', 'enabled', 'owner.display_name', 'model', 'total_runs_30d', 'failed_runs_30d', 'id'])
      for (const { trigger_type, config, next_fire_at } of data.triggers)
        print(
          `Starts on: ${[trigger_type, config.cron_expression, config.timezone].filter(Boolean).join(' ')}${next_fire_at ? `, next at ${next_fire_at}` : ''}`,
        )
      print(`\n${data.user_prompt}`)
    })

  for (const [verb, enabled] of [['enable', true] as const, ['disable', false] as const])
    automations
      .command(`${verb} <automation>`)
      .description(enabled ? 'Let an automation start runs' : 'Keep an automation from starting runs')
      .action(async (name: string, _options, command: Command) => {
        const { client, asJson } = await open(command)
        const { data } = await client.automations.update(await idOf(client, name), { enabled })
        if (asJson) printJson(data)
        else print(`"${data.name}" is ${verb}d.`)
      })

  automations
    .command('runs <automation>')
    .description('List the runs of an automation, newest first')
    .option('--limit <count>', 'how many at most', whole, 20)
    .option('--watch', 'show them again when they change')
    .action(async (name: string, { limit, watch }, command: Command) => {
      const { client, asJson } = await open(command)
      const id = await idOf(client, name)
      await watching(watch, async () => {
        const { found, hasMore } = await first(
          items((query) => client.automations.listRuns(id, query)),
          limit,
        )
        return () => show(found, ['status', 'created_at', 'id'], asJson, hasMore)
      })
    })

  automations
    .command('run <automation>')
    .description('Start an automation now')
    .option('--dry-run', 'only propose what it would write')
    .addHelpText('after', '\nExample:\n  $ slipway automations run "Weekly summary" --dry-run')
    .action(async (name: string, { dryRun = false }, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client.automations.startRun(await idOf(client, name), dryRun ? { dry_run: true } : {})
      if (asJson) printJson(data)
      else print(`Started run ${data.id}.`)
    })

  for (const [verb, description] of Object.entries(DECISIONS))
    automations
      .command(`${verb} <automation> <run-id>`)
      .description(description)
      .action(async (name: string, run: string, _options, command: Command) => {
        const { client, asJson } = await open(command)
        const id = await idOf(client, name)
        const { data } = await client.automations[`${verb as keyof typeof DECISIONS}Run`](id, run)
        if (asJson) printJson(data)
        else print(`Run ${data.id} is ${data.status}.`)
      })

  automations
    .command('undo <automation> <run-id>')
    .description('Take back what a run did')
    .action(async (name: string, run: string, _options, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client.automations.undoRun(await idOf(client, name), run)
      if (asJson) return printJson(data)
      print(`Took back ${data.undone.length} of ${data.undone.length + data.kept.length} changes.`)
    })
}

async function idOf(client: KeyClient, name: string): Promise<string> {
  if (isUuid(name)) return name
  const { items: found } = await client.automations.list({ name })
  const exact = found.filter((one) => one.name.toLowerCase() === name.toLowerCase())
  const [only, ...more] = exact.length > 0 ? exact : found
  if (!only) throw new Failure(`There is no automation "${name}".`, 'not found')
  if (more.length > 0) throw new Failure(`"${name}" is in the name of several automations. Use the id.`, 'wrong usage')
  return only.id
}
