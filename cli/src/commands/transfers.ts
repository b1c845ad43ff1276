import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { setTimeout as delay } from 'node:timers/promises'
import type { DocumentsImportPreview, Transfer, WorkOrdersImportPreview } from '@slipway/sdk'
import { type Command, Option } from 'commander'
import { ZipFile } from 'yazl'
import { Failure } from '../failure.ts'
import { print, printJson, table } from '../output.ts'
import { open } from '../session.ts'

const ASK_EVERY_MS = 500
/** A large file takes as long as it takes. A stream cannot be sent twice. */
const PATIENT = { timeoutMs: 0, retries: 0 }
const HIDDEN = /(^|\/)\./

export function addTransfers(program: Command): void {
  program
    .command('export <file>')
    .description('Write the whole project into a zip file')
    .addHelpText('after', '\nExample:\n  $ slipway export project.zip')
    .action(async (file: string, _options, command: Command) => {
      const { client, asJson } = await open(command)
      await checkPlace(file)
      const { data: started } = await client.transfers.startExport()
      const done = await finished('Exporting', () => client.transfers.getExport(started.id))
      const { response } = await client.transfers.downloadExport(started.id, PATIENT)
      const unfinished = `${file}.${process.pid}.part`
      try {
        await pipeline(Readable.fromWeb(response.body as WebStream), createWriteStream(unfinished, { flags: 'wx' }))
        if ((await stat(unfinished)).size !== done.file_size)
          throw new Failure('The download is not complete. Try again.')
        await rename(unfinished, file)
      } finally {
        await rm(unfinished, { force: true })
      }
      if (asJson) printJson(done)
      else print(`Exported ${describeCounts(done.counts)} into ${file}.`)
    })

  const group = program
    .command('import [file]')
    .description('Import a project into this one, which must be new; or work orders, or a folder of markdown')
    .addHelpText(
      'after',
      '\nExamples:\n  $ slipway import project.zip\n  $ slipway import work-orders issues.csv --dry-run\n  $ slipway import docs ./docs',
    )
    .action(async (file: string | undefined, _options, command: Command) => {
      if (file === undefined) throw new Failure('Name the file of an export: slipway import project.zip', 'wrong usage')
      const { client, asJson } = await open(command)
      const { data } = await client.transfers.startImport(await sent(file), PATIENT)
      report(await finished('Importing', () => client.transfers.getImport(data.id)), asJson)
    })

  group
    .command('work-orders <file>')
    .description('Import work orders from comma-separated values: of Jira, of Linear, or with columns like theirs')
    .option('--dry-run', 'only say what would happen')
    .action(async (file: string, { dryRun }: { dryRun?: boolean }, command: Command) => {
      const { client, asJson } = await open(command)
      if (dryRun) {
        const { data } = await client.transfers.previewWorkOrders(await sent(file), PATIENT)
        if (asJson) printJson(data)
        else showWorkOrders(data)
        return failOnRemarks(data)
      }
      const { data } = await client.transfers.importWorkOrders(await sent(file), PATIENT)
      report(await finished('Importing', () => client.transfers.getImport(data.id)), asJson)
    })

  group
    .command('docs <folder>')
    .description('Import the markdown files of a folder. Its folders become the tree')
    .addOption(new Option('--kind <kind>').choices(['requirements', 'blueprints']).default('requirements'))
    .option('--dry-run', 'only say what would happen')
    .action(async (folder: string, { kind, dryRun }, command: Command) => {
      const { client, asJson } = await open(command)
      if (dryRun) {
        const { data } = await client.transfers.previewDocuments({ ...(await packed(folder)), kind }, PATIENT)
        if (asJson) printJson(data)
        else showDocuments(data)
        return failOnRemarks(data)
      }
      const { data } = await client.transfers.importDocuments({ ...(await packed(folder)), kind }, PATIENT)
      report(await finished('Importing', () => client.transfers.getImport(data.id)), asJson)
    })
}

/** An export can take long, so it should not fail at its end. */
async function checkPlace(file: string): Promise<void> {
  if ((await stat(file).catch(() => undefined))?.isDirectory())
    throw new Failure(`"${file}" is a folder. Name a file in it.`, 'wrong usage')
  const folder = path.dirname(file)
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new Failure(`There is no folder "${folder}".`, 'not found')
}

async function sent(file: string) {
  if (!(await stat(file).catch(() => undefined))?.isFile())
    throw new Failure(`There is no file "${file}".`, 'not found')
  return { file: Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>, name: path.basename(file) }
}

/** Packs the markdown files of a folder while they are sent, and only the names of others: the server says that it leaves them out. */
async function packed(folder: string) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new Failure(`There is no folder "${folder}".`, 'not found')
  })
  const files = found
    .filter((one) => !one.isDirectory())
    .map((one) => path.relative(folder, path.join(one.parentPath, one.name)).split(path.sep).join('/'))
    .filter((file) => !HIDDEN.test(file))
    .sort()
  const isMarkdown = (file: string) => /\.(md|markdown)$/i.test(file)
  if (!files.some(isMarkdown)) throw new Failure(`There is no markdown file in "${folder}".`, 'not found')
  const zip = new ZipFile()
  // Below a folder of its own, which the server takes off: otherwise it would take off the only folder that there is.
  for (const file of files)
    if (isMarkdown(file)) zip.addFile(path.join(folder, file), `docs/${file}`)
    else zip.addBuffer(Buffer.alloc(0), `docs/${file}`)
  zip.end()
  return { file: Readable.toWeb(zip.outputStream as Readable) as ReadableStream<Uint8Array>, name: 'docs.zip' }
}

/** Asks until it is over, and shows how far it is. */
async function finished(verb: string, ask: () => Promise<{ data: Transfer }>): Promise<Transfer> {
  const isShown = process.stderr.isTTY === true
  for (;;) {
    const { data } = await ask()
    if (isShown && data.total) process.stderr.write(`\r${verb}… ${Math.floor((100 * data.done) / data.total)} %`)
    if (data.state === 'done' || data.state === 'failed') {
      if (isShown) process.stderr.write('\r\x1b[K')
      if (data.state === 'failed') throw new Failure(data.error ?? 'It failed.')
      return data
    }
    await delay(ASK_EVERY_MS)
  }
}

function report(done: Transfer, asJson: boolean): void {
  if (asJson) printJson(done)
  else {
    print(`Imported: ${describeCounts(done.counts)}.`)
    showProblems(done.problems)
  }
  failOnRemarks(done)
}

/** A script must see that something was skipped, refused or changed. A dry run says the same as the import. */
function failOnRemarks({ problems }: { problems: unknown[] }): void {
  if (problems.length > 0)
    throw new Failure('Not everything is as in the file: see the remarks above.', 'done except what is named')
}

const describeCounts = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}`)
    .join(', ') || 'nothing'

function showProblems(problems: { where: string; detail: string }[]): void {
  for (const { where, detail } of problems) print(`${where}: ${detail}`)
}

function showWorkOrders(preview: WorkOrdersImportPreview): void {
  const used = preview.columns.flatMap(({ column, field }) => (field ? [`${column} → ${field}`] : []))
  const unused = preview.columns.flatMap(({ column, field }) => (field ? [] : [column]))
  print(`Columns: ${used.join(', ')}`)
  if (unused.length > 0) print(`Left out: ${unused.join(', ')}`)
  print(table(preview.rows, ['line', 'action', 'key', 'title', 'status', 'priority', 'assignee', 'phase']))
  if (preview.new_labels.length > 0) print(`New labels: ${preview.new_labels.join(', ')}`)
  if (preview.new_phases.length > 0) print(`New phases: ${preview.new_phases.join(', ')}`)
  showProblems(preview.problems)
  showTotals(preview)
}

function showDocuments(preview: DocumentsImportPreview): void {
  for (const { title, depth, action, path: file } of preview.documents)
    print(`${'  '.repeat(depth)}${title}${action === 'create' ? '' : ` (${action})`}  ${file}`)
  showProblems(preview.problems)
  showTotals(preview)
}

type Totals = Pick<DocumentsImportPreview, 'to_create' | 'to_skip' | 'to_refuse' | 'to_change'>

function showTotals({ to_create, to_skip, to_refuse, to_change }: Totals): void {
  const changed = to_change > 0 ? ` (${to_change} changed)` : ''
  print(`Would create ${to_create}${changed}, skip ${to_skip} that are here, and refuse ${to_refuse}.`)
}
