import { items, type KeyClient } from '@slipway/sdk'
import { type Command, Option } from 'commander'
import { Failure } from '../failure.ts'
import { cellOf, print, printJson, show, showFields } from '../output.ts'
import { againAndAgain, open, watching } from '../session.ts'
import { all, first, isUuid } from './found.ts'
import { PRIORITIES, whole, wholeOrNone } from './work-order.ts'

const ITEM_STATUSES = ['to_process', 'processed'] as const
const THEME_STATUSES = ['unresolved', 'in_progress', 'resolved', 'dismissed'] as const
const TYPES = ['bug', 'feature_request', 'improvement', 'performance', 'question', 'other'] as const

export function addFeedback(program: Command): void {
  const feedback = program.command('feedback').description('Reports of customers')

  feedback
    .command('list', { isDefault: true })
    .description('List reports, newest first')
    .addOption(new Option('--status <status>').choices(ITEM_STATUSES))
    .option('--limit <count>', 'how many at most', whole, 50)
    .option('--watch', 'show them again when they change')
    .action(async ({ status, limit, watch }, command: Command) => {
      const { client, asJson } = await open(command)
      await watching(watch, async () => {
        const { found, hasMore } = await first(items(client.feedback.listItems, { status }), limit)
        return () => show(found, ['display_id', 'status', 'end_user_email', 'title'], asJson, hasMore)
      })
    })

  feedback
    .command('get <report>')
    .description('Read a report, by its number (FB-12) or id')
    .action(async (name: string, _options, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client.feedback.getItem(await itemIdOf(client, name))
      if (asJson) return printJson(data)
      showFields(data, ['display_id', 'status', 'end_user_email', 'created_at', 'title', 'id'])
      print(`\n${data.markdown_content}`)
      for (const { file_name, file_size, id } of data.attachments)
        print(`Attached: ${file_name}, ${file_size} bytes (${id})`)
    })

  feedback
    .command('set <report>')
    .description('Set the status of a report')
    .addOption(new Option('--status <status>').choices(ITEM_STATUSES).makeOptionMandatory())
    .action(async (name: string, { status }, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client.feedback.updateItem(await itemIdOf(client, name), { status })
      if (asJson) printJson(data)
      else print(`${data.display_id} is ${data.status}.`)
    })

  feedback
    .command('tail')
    .description('Print new reports as they arrive')
    .option('--last <count>', 'how many old ones to begin with, up to 100', wholeOrNone, 5)
    .action(async ({ last }: { last: number }, command: Command) => {
      const { client, asJson } = await open(command)
      let seen: Set<string> | undefined
      await againAndAgain(async () => {
        const fresh = await (seen ? unseen(client, seen) : newest(client))
        const shown = seen ? fresh : fresh.slice(0, last)
        for (const one of shown.reverse())
          print(asJson ? JSON.stringify(one) : [one.display_id, one.end_user_email, one.title].map(cellOf).join('  '))
        seen = new Set([...(seen ?? []), ...fresh.map(({ id }) => id)])
      })
    })
}

const newest = async (client: KeyClient) => (await client.feedback.listItems({ page_size: 100 })).items

async function unseen(client: KeyClient, seen: Set<string>) {
  const fresh: Awaited<ReturnType<typeof newest>> = []
  for await (const one of items(client.feedback.listItems)) {
    if (seen.has(one.id)) break
    fresh.push(one)
  }
  return fresh
}

export function addThemes(program: Command): void {
  const themes = program.command('themes').description('What reports are about')

  themes
    .command('list', { isDefault: true })
    .description('List themes, newest first')
    .addOption(new Option('--status <status>').choices(THEME_STATUSES))
    .option('--watch', 'show them again when they change')
    .action(async ({ status, watch }, command: Command) => {
      const { client, asJson } = await open(command)
      await watching(watch, async () => {
        const { items: found } = await client.feedback.listThemes({ status })
        return () => show(found, ['display_id', 'status', 'type', 'priority', 'quote_count', 'title'], asJson)
      })
    })

  themes
    .command('get <theme>')
    .description('Read a theme with its quotes, by its number (TH-3) or id')
    .action(async (name: string, _options, command: Command) => {
      const { client, asJson } = await open(command)
      const id = await themeIdOf(client, name)
      const { data } = await client.feedback.getTheme(id)
      const quotes = await all(items((query) => client.feedback.listQuotes(id, query)))
      if (asJson) return printJson({ ...data, quotes })
      showFields(data, ['display_id', 'status', 'type', 'priority', 'assignee.name', 'title', 'id'])
      if (data.description) print(`\n${data.description}`)
      for (const { text_excerpt } of quotes) print(`\n> ${text_excerpt.replaceAll('\n', '\n> ')}`)
    })

  themes
    .command('create <title>')
    .description('Make a theme')
    .addOption(new Option('--type <type>').choices(TYPES).default('bug'))
    .addOption(new Option('--priority <priority>').choices(PRIORITIES).default('no_priority'))
    .option('--description <text>', 'what it is about', '')
    .action(async (title: string, options, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client.feedback.createTheme({ title, ...options })
      if (asJson) printJson(data)
      else print(`Made ${data.display_id}.`)
    })

  themes
    .command('update <theme>')
    .description('Change a theme')
    .option('--title <title>')
    .option('--description <text>')
    .addOption(new Option('--status <status>').choices(THEME_STATUSES))
    .addOption(new Option('--type <type>').choices(TYPES))
    .addOption(new Option('--priority <priority>').choices(PRIORITIES))
    .action(async (name: string, options, command: Command) => {
      const { client, asJson } = await open(command)
      if (Object.keys(options).length === 0) throw new Failure('Say what to change, such as --status.', 'wrong usage')
      const { data } = await client.feedback.updateTheme(await themeIdOf(client, name), options)
      if (asJson) printJson(data)
      else print(`${data.display_id} is changed.`)
    })

  themes
    .command('link <theme> <report>')
    .description('Put a report into a theme')
    .addHelpText('after', '\nExample:\n  $ slipway themes link TH-3 FB-12')
    .action(async (theme: string, report: string, _options, command: Command) => {
      const { client, asJson } = await open(command)
      const [id, feedback_item_id] = [await themeIdOf(client, theme), await itemIdOf(client, report)]
      const { data } = await client.feedback.linkItem(id, { feedback_item_id })
      if (asJson) printJson(data)
      else print(`${report} is in ${theme}.`)
    })

  themes
    .command('unlink <theme> <report>')
    .description('Take a report out of a theme')
    .action(async (theme: string, report: string, _options, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client.feedback.unlinkItem(await themeIdOf(client, theme), await itemIdOf(client, report))
      if (asJson) printJson(data)
      else print(`${report} is no longer in ${theme}.`)
    })
}

async function itemIdOf(client: KeyClient, name: string): Promise<string> {
  if (isUuid(name)) return name
  for await (const { id, display_id } of items(client.feedback.listItems))
    if (display_id.toLowerCase() === name.toLowerCase()) return id
  throw new Failure(`There is no report "${name}".`, 'not found')
}

async function themeIdOf(client: KeyClient, name: string): Promise<string> {
  if (isUuid(name)) return name
  const { items: themes } = await client.feedback.listThemes()
  const found = themes.find(({ display_id }) => display_id.toLowerCase() === name.toLowerCase())
  if (!found) throw new Failure(`There is no theme "${name}".`, 'not found')
  return found.id
}
