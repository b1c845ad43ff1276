import { Console } from 'node:console'
import { slices } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { describeDemo, fillDemo } from './demo/index.ts'
import { isStartFailure } from './engines/embedded-postgres/index.ts'
import { migrate } from './kernel/database/migrate.ts'
import { AppError } from './kernel/errors.ts'
import { migrateQueue } from './kernel/jobs/jobs.ts'
import { wire } from './kernel/slice.ts'
import { loadInstallationId, openStore } from './kernel/storage/index.ts'
import { databaseFault, openDatabase } from './open-database.ts'
import { becomeAccount, chooseAccountToBecome } from './root-rights.ts'

/** Fills the demo project, beside a running server or without one. Prints how to sign in, or exits with code 1. */
async function main(): Promise<void> {
  const log = new Console(process.stderr)
  const config = readConfig(process.env)
  const wiring = wire(slices, config.settings)
  const database = await openDatabase({ ...config, poolSize: 4, as: 'guest', log: () => undefined })
  const { sql } = database
  try {
    await migrate(sql)
    await migrateQueue(sql)
    // The server must be able to read the files that this writes.
    const account = await chooseAccountToBecome(config, database.account, () => undefined)
    if (account) becomeAccount(account)
    const store = openStore(config, await loadInstallationId(sql))
    console.log(describeDemo(config.baseUrl, await fillDemo({ db: sql, wiring, store, log })))
  } finally {
    await database.close()
  }
}

main().catch((err: unknown) => {
  const isClear = err instanceof ConfigError || err instanceof AppError || isStartFailure(err)
  console.error(isClear ? (err as Error).message : (databaseFault(err, process.env.DATABASE_URL) ?? err))
  process.exitCode = 1
})
