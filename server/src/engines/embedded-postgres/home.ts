import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Account, chooseAccount, chownTo, makePrivate } from './account.ts'
import { errorCode, explainDiskErrors } from './failure.ts'

/** The data folder of one embedded PostgreSQL and the account it runs under. */
export interface Home {
  dataDir: string
  folder: string
  cluster: string
  logFile: string
  account: Account | undefined
  nativeDir: string | undefined
  settings: Record<string, string>
  log: (message: string) => void
}

export async function prepareHome(options: {
  dataDir: string
  nativeDir?: string
  settings?: Record<string, string>
  log: (message: string) => void
}): Promise<Home> {
  const dataDir = resolve(options.dataDir)
  const folder = join(dataDir, 'postgres')
  const cluster = join(folder, 'cluster')
  return explainDiskErrors(dataDir, async () => {
    await mkdir(dataDir, { recursive: true })
    await mkdir(folder, { mode: 0o700 }).catch((err) => {
      if (errorCode(err) !== 'EEXIST') throw err
    })
    const account = await chooseAccount(cluster, dataDir)
    await chownTo(folder, account)
    await makePrivate(cluster).catch((err) => {
      if (errorCode(err) !== 'ENOENT') throw err
    })
    return {
      dataDir,
      folder,
      cluster,
      logFile: join(folder, 'postgres.log'),
      account,
      nativeDir: options.nativeDir,
      settings: options.settings ?? {},
      log: options.log,
    }
  })
}
