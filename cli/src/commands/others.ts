import { items } from '@slipway/sdk'
import type { Command } from 'commander'
import { Failure, kindOfStatus } from '../failure.ts'
import { print, show } from '../output.ts'
import { open } from '../session.ts'
import { all } from './found.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function addOthers(program: Command): void {
  program
    .command('users')
    .description('List the members of the project')
    .option('--search <text>', 'a part of a name or an e-mail address')
    .action(async ({ search }: { search?: string }, command: Command) => {
      const { client, asJson } = await open(command)
      show(await all(items(client.users.list, { search })), ['display_name', 'email', 'id'], asJson)
    })

  program
    .command('integrations')
    .description('List what the creator of the key has connected')
    .action(async (_options, command: Command) => {
      const { client, asJson } = await open(command)
      show((await client.integrations.list()).items, ['display_name', 'id'], asJson)
    })

  program
    .command('api <method> <path>')
    .description('Call any operation of the external API')
    .option('--data <json>', 'the body, or - to read it from standard input')
    .addHelpText(
      'after',
      '\nExamples:\n  $ slipway api GET /work_orders?page_size=1\n  $ slipway api DELETE /feedback/themes/$ID',
    )
    .action(async (method: string, path: string, { data }: { data?: string }, command: Command) => {
      const { profile } = await open(command)
      const body = data === '-' ? await readAll() : data
      const url = `${profile.url.replace(/\/+$/, '')}/v2/external-api${path.startsWith('/') ? path : `/${path}`}`
      if (!METHODS.includes(method.toUpperCase()))
        throw new Failure(`"${method}" is none of ${METHODS.join(', ')}.`, 'wrong usage')
      if (body !== undefined && method.toUpperCase() === 'GET')
        throw new Failure('GET takes no --data. Put values behind a "?" in the path.', 'wrong usage')
      const answer = await fetch(url, {
        method: method.toUpperCase(),
        headers: { 'x-api-key': profile.key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
      }).catch(() => {
        throw new Failure(`"${profile.url}" cannot be reached.`, 'unreachable')
      })
      const text = await answer.text()
      if (text) print(text)
      if (!answer.ok) throw new Failure(`The server answered ${answer.status}.`, kindOfStatus(answer.status))
    })
}

async function readAll(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text
}
