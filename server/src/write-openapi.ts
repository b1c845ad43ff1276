import { readFile, writeFile } from 'node:fs/promises'
import { createApp, slices } from './app.ts'
import { describeEvents, tabulateEvents } from './event-docs.ts'
import { connect } from './kernel/database/index.ts'
import { wire } from './kernel/slice.ts'
import { openStore } from './kernel/storage/index.ts'

/**
 * Writes server/openapi.json, server/openapi.app.json, server/events.json and the table of events in docs/webhooks.md.
 * With --check, only reports whether they are up to date. Never connects to the database.
 */
const sql = connect('postgres://nobody@127.0.0.1:1/none')
const app = await createApp({
  sql,
  store: openStore({ dataDir: '/nowhere', s3: undefined, minFreeDiskBytes: 0 }, 'none'),
  baseUrl: 'http://127.0.0.1:3000',
  bodyLimitBytes: 1024,
  uploadLimitBytes: 1024,
  rateLimitExternal: 0,
  rateLimitReporting: 0,
  rateLimitApp: 0,
})
const read = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8').catch(() => '')
const { events } = wire(slices)
const [BEGIN, END] = ['<!-- The table is generated from the register of events. -->\n\n', '\n\n<!-- -->']
const withTable = (page: string) => {
  const begin = page.indexOf(BEGIN) + BEGIN.length
  return `${page.slice(0, begin)}${tabulateEvents(events)}${page.slice(page.indexOf(END, begin))}`
}
const texts = {
  'server/openapi.json': `${JSON.stringify(app.openApiDocument(), null, 2)}\n`,
  'server/openapi.app.json': `${JSON.stringify(app.appOpenApiDocument(), null, 2)}\n`,
  'server/events.json': describeEvents(events),
  'docs/webhooks.md': withTable(await read('docs/webhooks.md')),
}
for (const [name, text] of Object.entries(texts)) {
  if (!process.argv.includes('--check')) await writeFile(new URL(`../../${name}`, import.meta.url), text)
  else if ((await read(name)) !== text) {
    console.error(`${name} is out of date. Run "npm run openapi" and commit it.`)
    process.exitCode = 1
  }
}
await app.close()
await sql.end()
