import { type Command, Option } from 'commander'
import { print, printJson, show } from '../output.ts'
import { open } from '../session.ts'
import type { DocumentKind } from '../sync/layout.ts'

const KINDS = ['requirements', 'blueprints'] as const
const kindOption = () => new Option('--kind <kind>').choices(KINDS).default('requirements')

interface Chosen {
  kind: DocumentKind
}

/** What is done with one document on the server, without files. */
export function addDocumentChanges(docs: Command): void {
  docs
    .command('create <title>')
    .description('Make a document')
    .addOption(kindOption())
    .addOption(new Option('--type <type>', 'of a requirement').choices(['FEATURE', 'OVERVIEW']).default('FEATURE'))
    .option('--parent <id>', 'the document it is below')
    .action(async (title: string, { kind, type, parent }: Chosen & { type: 'FEATURE'; parent?: string }, command) => {
      const { client, asJson } = await open(command)
      const placed = parent === undefined ? { title } : { title, parent_id: parent }
      const { data } =
        kind === 'blueprints'
          ? await client.blueprints.create(placed)
          : await client.requirements.create({ ...placed, document_type: type })
      if (asJson) printJson(data)
      else print(`Made ${data.id}.`)
    })

  docs
    .command('rename <id> <title>')
    .description('Rename a document')
    .addOption(kindOption())
    .action(async (id: string, title: string, { kind }: Chosen, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client[kind].rename(id, { title })
      if (asJson) printJson(data)
      else print('Renamed.')
    })

  docs
    .command('delete <id>')
    .description('Delete a document for good. Those below it move up')
    .addOption(kindOption())
    .action(async (id: string, { kind }: Chosen, command: Command) => {
      const { client } = await open(command)
      await client[kind].delete(id)
      print('Deleted.')
    })

  docs
    .command('versions <id>')
    .description('List the versions of a document, newest first')
    .addOption(kindOption())
    .action(async (id: string, { kind }: Chosen, command: Command) => {
      const { client, asJson } = await open(command)
      const columns = ['version_number', 'version_name', 'created_at', 'attribution.origin_type', 'version_id']
      show((await client[kind].listVersions(id)).items, columns, asJson)
    })

  docs
    .command('suggestions <id>')
    .description('List the pending changes of a document')
    .addOption(kindOption())
    .action(async (id: string, { kind }: Chosen, command: Command) => {
      const { client, asJson } = await open(command)
      show((await client[kind].listSuggestions(id)).items, ['kind', 'created_by_name', 'id', 'text'], asJson)
    })

  for (const verb of ['accept', 'reject'] as const)
    docs
      .command(`${verb} <id> [change-id]`)
      .description(`${verb === 'accept' ? 'Accept' : 'Reject'} a pending change of a document, or all of them`)
      .addOption(kindOption())
      .action(async (id: string, change: string | undefined, { kind }: Chosen, command: Command) => {
        const { client, asJson } = await open(command)
        const { data } =
          change === undefined
            ? await client[kind][`${verb}AllSuggestions`](id)
            : await client[kind][`${verb}Suggestion`](id, change)
        if (asJson) printJson(data)
        else print(`${verb === 'accept' ? 'Accepted' : 'Rejected'}. The document is at version ${data.version_number}.`)
      })

  docs
    .command('comments <id>')
    .description('Read the comments on a document')
    .addOption(kindOption())
    .action(async (id: string, { kind }: Chosen, command: Command) => {
      const { client, asJson } = await open(command)
      const { items: threads } = await client[kind].listComments(id)
      if (asJson) return printJson(threads)
      for (const { is_resolved, messages, thread_id } of threads) {
        print(`${is_resolved ? 'Resolved' : 'Open'} (${thread_id})`)
        for (const { created_by_name, message } of messages) print(`  ${created_by_name}: ${message}`)
      }
    })

  docs
    .command('comment <id> <text>')
    .description('Comment on a document')
    .addOption(kindOption())
    .action(async (id: string, message: string, { kind }: Chosen, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await client[kind].comment(id, { message })
      if (asJson) printJson(data)
      else print('Commented.')
    })
}
