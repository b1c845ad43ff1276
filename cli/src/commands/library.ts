import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { items, type KeyClient } from '@slipway/sdk'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import { print, printJson, show, tell } from '../output.ts'
import { open, watching } from '../session.ts'
import { all, first } from './found.ts'
import { whole } from './work-order.ts'

export function addArtifacts(program: Command): void {
  const artifacts = program.command('artifacts').description('The knowledge base: documents, files and folders')

  artifacts
    .command('list [folder]', { isDefault: true })
    .description('List the knowledge base, or a folder of it')
    .option('--watch', 'show it again when it changes')
    .action(async (folder: string | undefined, { watch }, command: Command) => {
      const { client, asJson } = await open(command)
      await watching(watch, async () => {
        const found = await all(items(client.artifacts.list, { folder_path: folder }))
        return () => show(found, ['type', 'folder_path', 'name', 'size_bytes', 'id'], asJson)
      })
    })

  artifacts
    .command('upload <files...>')
    .description('Upload files')
    .option('--folder <id>', 'the id of the folder to put them in')
    .addHelpText('after', '\nExample:\n  $ slipway artifacts upload report.pdf screenshot.png')
    .action(async (files: string[], { folder }: { folder?: string }, command: Command) => {
      const { client, asJson } = await open(command)
      const uploaded: object[] = []
      for (const file of files) {
        const found = await stat(file).catch(() => undefined)
        if (!found?.isFile()) throw new Failure(`There is no file "${file}".`, 'not found')
        const stream = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
        const { data } = await client.artifacts.create({ file: stream, name: path.basename(file), parent_id: folder })
        uploaded.push(data)
        if (!asJson) print(`Uploaded ${data.name} (${data.id}).`)
      }
      if (asJson) printJson(uploaded)
    })

  artifacts
    .command('download <id>')
    .description('Write the content of an artifact into a file, or to standard output with --out -')
    .option('--out <file>', 'where to (its own name)')
    .action(async (id: string, { out }: { out?: string }, command: Command) => {
      const { client, asJson } = await open(command)
      const { response } = await client.artifacts.download(id)
      const content = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
      if (out === '-') return pipeline(content, process.stdout, { end: false })
      const file = out ?? path.basename((await client.artifacts.get(id)).data.name)
      await pipeline(content, createWriteStream(file, { flags: 'wx' })).catch((err: NodeJS.ErrnoException) => {
        throw err.code === 'EEXIST'
          ? new Failure(`"${file}" exists already. Name another with --out.`, 'conflict')
          : err
      })
      tell(asJson, { id, file }, `Wrote ${file}.`)
    })

  artifacts
    .command('delete <id>')
    .description('Delete an artifact for good; a folder with everything in it')
    .option('--yes', 'do not ask')
    .action(async (id: string, { yes }: { yes?: boolean }, command: Command) => {
      if (!yes) throw new Failure('This cannot be undone. Repeat it with --yes.', 'wrong usage')
      const { client, asJson } = await open(command)
      await client.artifacts.delete(id)
      tell(asJson, { id, deleted: true }, 'Deleted.')
    })
}

export function addConversations(program: Command): void {
  const conversations = program.command('conversations').description('Conversations with agents')

  conversations
    .command('list [expression]', { isDefault: true })
    .description('List your conversations, or those with a line that matches a regular expression')
    .option('--limit <count>', 'how many at most', whole, 20)
    .option('--watch', 'show them again when they change')
    .action(async (query: string | undefined, { limit, watch }, command: Command) => {
      const { client, asJson } = await open(command)
      await watching(watch, async () => {
        const list = items(client.conversations.list, query === undefined ? {} : { query })
        const { found, hasMore } = await first(list, limit)
        return () => show(found, ['origin', 'updated_at', 'id', 'title'], asJson, hasMore)
      })
    })

  conversations
    .command('get <id>')
    .description('Read a conversation')
    .option('--tools', 'with what tools were asked and answered')
    .action(async (id: string, { tools = false }: { tools?: boolean }, command: Command) => {
      const { client, asJson } = await open(command)
      const messages = await allMessages(client, id, tools)
      if (asJson) return printJson(messages)
      for (const { role, created_at, text } of messages) print(`${role}, ${created_at}\n${text}\n\n`)
    })
}

/** Long conversations come in parts, the last one first. */
async function allMessages(client: KeyClient, id: string, include_tool_activity: boolean) {
  let { data } = await client.conversations.get(id, { include_tool_activity })
  const messages = [...data.content]
  while (data.continuation) {
    const { before_event_id } = data.continuation
    data = (await client.conversations.get(id, { include_tool_activity, before_event_id })).data
    messages.unshift(...data.content)
  }
  return messages
}
