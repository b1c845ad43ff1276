import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Db, errorCode } from './database/index.ts'
import { signingKey } from './sealing.ts'

/**
 * Returns the key that encrypts credentials: `SECRET_KEY`, or a file in the data folder that is created on first use.
 */
export function secretKeyOf({ secretKey, dataDir }: { secretKey: string | undefined; dataDir: string }) {
  let found: Promise<string> | undefined
  return () => {
    found ??= secretKey === undefined ? readOrCreate(path.join(dataDir, 'secret-key')) : Promise.resolve(secretKey)
    found.catch(() => {
      found = undefined
    })
    return found
  }
}

/** Notes which key this node has. Returns false if the node that started before it had another one. */
export async function noteSecretKey(db: Db, secretKey: string): Promise<boolean> {
  const check = signingKey(secretKey, 'check')
  const [row] = await db<{ before: string | null }[]>`
    with noted as (select secret_key_check as before from installation for update)
    update installation set secret_key_check = ${check} from noted returning noted.before`
  return row!.before === null || row!.before === check
}

async function readOrCreate(file: string): Promise<string> {
  const read = async () => (await readFile(file, 'utf8')).trim()
  try {
    return await read()
  } catch (err) {
    if (errorCode(err) !== 'ENOENT') throw err
  }
  await mkdir(path.dirname(file), { recursive: true })
  try {
    await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (err) {
    if (errorCode(err) !== 'EEXIST') throw err
  }
  return read()
}
