import { readFile, writeFile } from 'node:fs/promises'
import { createApp } from './app.ts'
import { connect } from './kernel/database/index.ts'
import { openStore } from './kernel/storage/index.ts'

/**
 * Writes server/openapi.json and server/openapi.app.json. With --check, only reports whether they are up to date. Never
 * connects to the database.
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
const documents = { 'openapi.json': app.openApiDocument(), 'openapi.app.json': app.appOpenApiDocument() }
for (const [name, document] of Object.entries(documents)) {
  const file = new URL(`../${name}`, import.meta.url)
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (!process.argv.includes('--check')) await writeFile(file, text)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`server/${name} is out of date. Run "npm run openapi" and commit it.`)
    process.exitCode = 1
  }
}
await app.close()
await sql.end()
