import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from './database/index.ts'

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
