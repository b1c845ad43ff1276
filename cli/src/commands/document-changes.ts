import { type KeyClient, NotFoundError } from '@slipway/sdk'
import { type Command, Option } from 'commander'
import { Failure } from '../failure.ts'
import { print, printJson, show, tell } from '../output.ts'
import { open } from '../session.ts'
import type { DocumentKind } from '../sync/layout.ts'

export const KINDS = ['requirements', 'blueprints'] as const
export const kindOption = () => new Option('--kind <kind>', 'if you know it').choices(KINDS)

interface Chosen {
  kind?: DocumentKind
}

/** The operations of the kind that a document is of. Ids are unique among both. */
export async function ofDocument(client: KeyClient, id: string, given?: DocumentKind) {
  for (const kind of given ? [given] : KINDS) {
    const isThere = given ?? (await client[kind].get(id, { start_line: 1, end_line: 1 }).catch(noneIfMissing))
    if (isThere) return client[kind]
  }
  throw new Failure(`There is no document "${id}". "slipway docs list" shows them.`, 'not found')
}

function noneIfMissing(err: unknown): undefined {
  if (!(err instanceof NotFoundError)) throw err
}

/** What is done with one document on the server, without files. */
export function addDocumentChanges(docs: Command): void {
  docs
    .command('create <title>')
    .description('Make a document')
    .addOption(new Option('--kind <kind>').choices(KINDS).default('requirements'))
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
      const { data } = await (await ofDocument(client, id, kind)).rename(id, { title })
      if (asJson) printJson(data)
      else print('Renamed.')
    })

  docs
    .command('delete <id>')
    .description('Delete a document for good. Those below it move up')
    .addOption(kindOption())
    .option('--yes', 'do not ask')
    .action(async (id: string, { kind, yes }: Chosen & { yes?: boolean }, command: Command) => {
      if (!yes) throw new Failure('This cannot be undone. Repeat it with --yes.', 'wrong usage')
      const { client, asJson } = await open(command)
      await (await ofDocument(client, id, kind)).delete(id)
      tell(asJson, { id, deleted: true }, 'Deleted.')
    })

  docs
    .command('versions <id>')
    .description('List the versions of a document, newest first')
    .addOption(kindOption())
    .action(async (id: string, { kind }: Chosen, command: Command) => {
      const { client, asJson } = await open(command)
      const columns = ['version_number', 'version_name', 'created_at', 'attribution.origin_type', 'version_id']
      show((await (await ofDocument(client, id, kind)).listVersions(id)).items, columns, asJson)
    })

  docs
    .command('suggestions <id>')
    .description('List the pending changes of a document')
    .addOption(kindOption())
    .action(async (id: string, { kind }: Chosen, command: Command) => {
      const { client, asJson } = await open(command)
      show(
        (await (await ofDocument(client, id, kind)).listSuggestions(id)).items,
        ['kind', 'created_by_name', 'id', 'text'],
        asJson,
      )
    })

  for (const verb of ['accept', 'reject'] as const)
    docs
      .command(`${verb} <id> [change-id]`)
      .description(`${verb === 'accept' ? 'Accept' : 'Reject'} a pending change of a document, or all of them`)
      .addOption(kindOption())
      .action(async (id: string, change: string | undefined, { kind }: Chosen, command: Command) => {
        const { client, asJson } = await open(command)
        const documents = await ofDocument(client, id, kind)
        const { data } =
          change === undefined
            ? await documents[`${verb}AllSuggestions`](id)
            : await documents[`${verb}Suggestion`](id, change)
        if (asJson) printJson(data)
        else print(`${verb === 'accept' ? 'Accepted' : 'Rejected'}. The document is at version ${data.version_number}.`)
      })

  docs
    .command('comments <id>')
    .description('Read the comments on a document')
    .addOption(kindOption())
    .action(async (id: string, { kind }: Chosen, command: Command) => {
      const { client, asJson } = await open(command)
      const { items: threads } = await (await ofDocument(client, id, kind)).listComments(id)
      if (asJson) return printJson(threads)
      if (threads.length === 0) print('Nothing found.')
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
      const { data } = await (await ofDocument(client, id, kind)).comment(id, { message })
      if (asJson) printJson(data)
      else print('Commented.')
    })
}
