// Opens the database in a separate process, reports the result on stdout and closes it when stdin ends.
import { openEmbeddedPostgres } from '../../dist/engines/embedded-postgres/index.js'

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
const { umask, ...options } = JSON.parse(process.argv[2])
if (umask !== undefined) process.umask(umask)

try {
  const database = await openEmbeddedPostgres({ ...options, log: (line) => process.stderr.write(`${line}\n`) })
  say({ connection: database.connection })
  process.stdin.resume().once('end', async () => {
    await database.stop()
    say({ stopped: true })
  })
} catch (err) {
  say({ failure: err.name, message: err.message })
}
