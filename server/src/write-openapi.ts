import { readFile, writeFile } from 'node:fs/promises'
import { createApp } from './app.ts'
import { connect } from './kernel/database/index.ts'
import { openStore } from './kernel/storage/index.ts'

/** Writes server/openapi.json. With --check, only reports whether it is up to date. Never connects to the database. */
const file = new URL('../openapi.json', import.meta.url)
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
const text = `${JSON.stringify(app.openApiDocument(), null, 2)}\n`
if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error('server/openapi.json is out of date. Run "npm run openapi" and commit it.')
    process.exitCode = 1
  }
} else await writeFile(file, text)
await app.close()
await sql.end()
