import { Console } from 'node:console'
import { describeCommands, parse, UsageError } from './admin/command.ts'
import { integrationCommands } from './admin/integrations.ts'
import { keyCommands } from './admin/keys.ts'
import { peopleCommands } from './admin/people.ts'
import { planningCommands } from './admin/planning.ts'
import { projectCommands } from './admin/projects.ts'
import { textCommands } from './admin/texts.ts'
import { slices } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { isStartFailure } from './engines/embedded-postgres/index.ts'
import { migrate } from './kernel/database/migrate.ts'
import { AppError } from './kernel/errors.ts'
import { migrateQueue } from './kernel/jobs/jobs.ts'
import { wire } from './kernel/slice.ts'
import { databaseFault, openDatabase } from './open-database.ts'
import { becomeAccount, chooseAccountToBecome } from './root-rights.ts'

/** The admin command line. Prints one JSON value to stdout. Prints errors to stderr and exits with code 1. */
const commands = {
  ...peopleCommands,
  ...projectCommands,
  ...keyCommands,
  ...planningCommands,
  ...integrationCommands,
  ...textCommands,
}

async function main(): Promise<void> {
  // Stdout holds exactly one JSON value, so logs go elsewhere.
  const log = new Console(process.stderr)
  if (['help', '--help', '-h'].includes(process.argv[2] ?? '')) {
    process.stdout.write(`${describeCommands(commands)}\n`)
    return
  }
  const { command, flags } = parse(commands, process.argv.slice(2))
  const config = readConfig(process.env)
  const wiring = wire(slices, config.settings)
  const database = await openDatabase({ ...config, poolSize: 2, as: 'guest', log: () => undefined })
  try {
    await migrate(database.sql)
    await migrateQueue(database.sql)
    // Drops root rights like the server, so the server can read and write the files of a command.
    const account = await chooseAccountToBecome(config, database.account, () => undefined)
    if (account) becomeAccount(account)
    const result = await command.run({ sql: database.sql, wiring, log }, flags)
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
  } finally {
    await database.close()
  }
}

main().catch((err: unknown) => {
  const isClear =
    err instanceof UsageError || err instanceof ConfigError || err instanceof AppError || isStartFailure(err)
  console.error(isClear ? (err as Error).message : (databaseFault(err, process.env.DATABASE_URL) ?? err))
  process.exitCode = 1
})
