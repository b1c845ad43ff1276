import { type Command, Option } from 'commander'
import { createTwoFilesPatch } from 'diff'
import { Failure } from '../failure.ts'
import { print, printJson, show } from '../output.ts'
import { open } from '../session.ts'
import { openFolder } from '../sync/folder.ts'
import { splitHead } from '../sync/front-matter.ts'
import type { DocumentKind } from '../sync/layout.ts'
import { listDocuments } from '../sync/remote.ts'
import { type Difference, differences, followMoves, isConflict, type Outcome, pull, push } from '../sync/sync.ts'
import { addDocumentChanges, KINDS, kindOption, ofDocument } from './document-changes.ts'

interface Found {
  title: string
  document_id: string
  matches: { line_number: number; line: string }[]
}

export function addDocuments(program: Command): void {
  const docs = program.command('docs').description('Requirements and blueprints: read, search, and keep as files')

  docs
    .command('list', { isDefault: true })
    .description('List documents')
    .addOption(new Option('--kind <kind>', 'only these').choices(KINDS))
    .action(async ({ kind }: { kind?: DocumentKind }, command: Command) => {
      const { client, asJson } = await open(command)
      const found = (await listDocuments(client)).filter((one) => kind === undefined || one.kind === kind)
      show(found, ['kind', 'tree', 'id', 'title'], asJson)
    })

  docs
    .command('get <id>')
    .description('Print a document as markdown')
    .addOption(kindOption())
    .addOption(new Option('--suggestions <view>').choices(['inline', 'accepted', 'rejected']).default('inline'))
    .action(async (id: string, { kind, suggestions }, command: Command) => {
      const { client, asJson } = await open(command)
      const { data } = await (await ofDocument(client, id, kind)).get(id, { suggestions })
      if (asJson) printJson(data)
      else process.stdout.write(data.markdown_content)
    })

  docs
    .command('search <expression>')
    .description('Search titles and lines by a regular expression')
    .addOption(new Option('--kind <kind>', 'only these').choices(KINDS))
    .action(async (query: string, { kind }: { kind?: DocumentKind }, command: Command) => {
      const { client, asJson } = await open(command)
      const items: Found[] = []
      for (const one of kind ? [kind] : KINDS) items.push(...(await client[one].search({ query, limit: 50 })).items)
      if (asJson) return printJson(items)
      if (items.length === 0) throw new Failure('Nothing found.', 'not found')
      for (const { title, document_id, matches } of items) {
        print(`${title} (${document_id})`)
        for (const { line_number, line } of matches) print(`  ${line_number}: ${line}`)
      }
    })

  addDocumentChanges(docs)

  docs
    .command('pull <folder>')
    .description('Write the documents as markdown files, the tree as folders')
    .addHelpText('after', '\nExample:\n  $ slipway docs pull ./docs')
    .action(async (root: string, _options, command: Command) => {
      const { asJson, ...sides } = await openSides(root, command)
      report(await pull(sides), 'Pulled', asJson)
    })

  docs
    .command('push <folder>')
    .description('Send changed and new files. Refuses those that somebody else changed meanwhile')
    .option('--suggest', 'propose the changes instead of writing them')
    .addHelpText('after', '\nExample:\n  $ slipway docs push ./docs --suggest')
    .action(async (root: string, { suggest = false }: { suggest?: boolean }, command: Command) => {
      const { asJson, ...sides } = await openFilled(root, command)
      report(await push(sides, { suggest }), suggest ? 'Proposed' : 'Pushed', asJson)
    })

  docs
    .command('status <folder>')
    .description('Say what changed in the folder and on the server')
    .action(async (root: string, _options, command: Command) => {
      const { asJson, ...sides } = await openFilled(root, command)
      const found = await differences(sides)
      if (asJson) return printJson(found)
      print(found.length === 0 ? 'Nothing changed.' : found.map(line).join('\n'))
    })

  docs
    .command('diff <folder> [paths...]')
    .description('Show what changed in the folder since it was pulled')
    .action(async (root: string, paths: string[], _options, command: Command) => {
      const { folder, state, asJson } = await openFilled(root, command)
      const changed: { path: string; diff: string }[] = []
      for (const [id, { path }] of Object.entries(state.documents)) {
        if (paths.length > 0 && !paths.includes(path)) continue
        const [before, file] = [await folder.readBase(id), await folder.read(path)]
        const after = file === undefined ? '' : splitHead(file).text
        if (before !== undefined && before !== after)
          changed.push({ path, diff: createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after) })
      }
      if (asJson) printJson(changed)
      else for (const { diff } of changed) print(diff)
    })
}

async function openSides(root: string, command: Command) {
  const { client, profile, asJson } = await open(command)
  const folder = openFolder(root)
  const state = await folder.readState(profile.url)
  await followMoves(folder, state)
  return { client, folder, state, asJson }
}

async function openFilled(root: string, command: Command) {
  const sides = await openSides(root, command)
  await sides.folder.checkThere(sides.state)
  return sides
}

const line = (one: Difference) =>
  `${isConflict(one) ? 'conflict' : one.local ? `${one.local} here` : `${one.server} on the server`}: ${one.path}`

function report({ done, conflicts, refused }: Outcome, verb: string, asJson: boolean): void {
  if (asJson) printJson({ done, conflicts, refused })
  else print(`${verb} ${done.length} ${done.length === 1 ? 'document' : 'documents'}.`)
  const faults = refused.map(({ path, reason }) => `${path}: ${reason}`)
  if (conflicts.length > 0)
    faults.push(
      `Changed on both sides, so left alone:\n  ${conflicts.sort().join('\n  ')}\nPut your changes aside, pull, and apply them again.`,
    )
  if (faults.length > 0)
    throw new Failure(faults.join('\n'), conflicts.length > 0 ? 'conflict' : 'done except what is named')
}
