import { setTimeout as delay } from 'node:timers/promises'
import { items } from '@slipway/sdk'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import { print, printJson, show } from '../output.ts'
import { open, watching } from '../session.ts'

const TAIL_EVERY_MS = 2_000

export function addFeedback(program: Command): void {
  const feedback = program.command('feedback').description('Reports of customers and the themes they are grouped into')

  feedback
    .command('list', { isDefault: true })
    .description('List reports, newest first')
    .option('--status <status>')
    .option('--watch', 'show them again when they change')
    .action(async ({ status, watch }, command: Command) => {
      const { client, asJson } = await open(command)
      await watching(watch, async () => {
        const { items: found } = await client.feedback.listItems({ status, page_size: 50 })
        return () => show(found, ['display_id', 'status', 'end_user_email', 'title'], asJson)
      })
    })

  feedback
    .command('tail')
    .description('Print new reports as they arrive')
    .option('--last <count>', 'how many old ones to begin with', Number, 5)
    .action(async ({ last }: { last: number }, command: Command) => {
      const { client, asJson } = await open(command)
      const seen = new Set<string>()
      for (let isFirst = true; ; isFirst = false) {
        const { items: found } = await client.feedback.listItems({ page_size: 100 })
        const fresh = found.filter(({ id }) => !seen.has(id)).reverse()
        for (const { id } of found) seen.add(id)
        for (const one of isFirst ? fresh.slice(fresh.length - last) : fresh)
          print(asJson ? JSON.stringify(one) : `${one.display_id}  ${one.end_user_email ?? '–'}  ${one.title}`)
        await delay(TAIL_EVERY_MS)
      }
    })

  feedback
    .command('themes')
    .description('List themes')
    .option('--status <status>')
    .action(async ({ status }, command: Command) => {
      const { client, asJson } = await open(command)
      const { items: found } = await client.feedback.listThemes({ status })
      show(found, ['display_id', 'status', 'type', 'priority', 'quote_count', 'title'], asJson)
    })
}

export function addAutomations(program: Command): void {
  const automations = program.command('automations').description('Automations and their runs')

  automations
    .command('list', { isDefault: true })
    .description('List automations')
    .action(async (_options, command: Command) => {
      const { client, asJson } = await open(command)
      show((await client.automations.list()).items, ['name', 'enabled', 'id'], asJson)
    })

  automations
    .command('runs <automation-id>')
    .description('List the runs of an automation, newest first')
    .option('--watch', 'show them again when they change')
    .action(async (id: string, { watch }, command: Command) => {
      const { client, asJson } = await open(command)
      await watching(watch, async () => {
        const { items: found } = await client.automations.listRuns(id)
        return () => show(found, ['status', 'created_at', 'id'], asJson)
      })
    })

  automations
    .command('run <automation-id>')
    .description('Start an automation now')
    .action(async (id: string, _options, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client.automations.startRun(id)
      if (asJson) printJson(data)
      else print(`Started run ${data.id}.`)
    })
}

export function addOthers(program: Command): void {
  program
    .command('artifacts [folder]')
    .description('List the knowledge base')
    .action(async (folder: string | undefined, _options, command: Command) => {
      const { client, asJson } = await open(command)
      const { items: found } = await client.artifacts.list({ folder_path: folder, page_size: 100 })
      show(found, ['type', 'name', 'id'], asJson)
    })

  program
    .command('conversations [words...]')
    .description('List conversations with agents')
    .action(async (words: string[], _options, command: Command) => {
      const { client, asJson } = await open(command)
      const { items: found } = await client.conversations.list(words.length > 0 ? { query: words.join(' ') } : {})
      show(found, ['title', 'updated_at', 'id'], asJson)
    })

  program
    .command('users')
    .description('List the members of the project')
    .action(async (_options, command: Command) => {
      const { client, asJson } = await open(command)
      const found = []
      for await (const user of items(client.users.list)) found.push(user)
      show(found, ['name', 'email', 'id'], asJson)
    })

  program
    .command('api <method> <path>')
    .description('Call any operation of the external API. The body comes from --data or, with --data -, standard input')
    .option('--data <json>')
    .addHelpText(
      'after',
      '\nExamples:\n  $ slipway api GET /work_orders?page_size=1\n  $ slipway api DELETE /feedback/themes/$ID',
    )
    .action(async (method: string, path: string, { data }: { data?: string }, command: Command) => {
      const { profile } = await open(command)
      const body = data === '-' ? await readAll() : data
      const url = `${profile.url.replace(/\/+$/, '')}/v2/external-api${path.startsWith('/') ? path : `/${path}`}`
      const answer = await fetch(url, {
        method: method.toUpperCase(),
        headers: { 'x-api-key': profile.key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
      }).catch(() => {
        throw new Failure(`"${profile.url}" cannot be reached.`, 'unreachable')
      })
      const text = await answer.text()
      if (text) print(text)
      if (!answer.ok)
        throw new Failure(`The server answered ${answer.status}.`, answer.status === 404 ? 'not found' : 'failed')
    })
}

async function readAll(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text
}
