import { randomBytes } from 'node:crypto'
import { ConfigError, type EnvironmentReader, environmentReader } from './environment.ts'
import { type ModelSettings, NO_MODEL, readModelSettings } from './model/settings.ts'
import { secretKeyOf } from './secret-key.ts'

/** The settings of one slice. The slice declares them, so an invalid value prevents the server from starting. */
export interface SliceSettings<T> {
  read(env: EnvironmentReader): T
}

/** Everything the operator can configure. The wiring passes it to the slices. */
export interface Settings {
  model: ModelSettings
  /** Returns the key that encrypts credentials of other services and signs cookies. Creates it on first use. */
  secretKey: () => Promise<string>
  of<T>(settings: SliceSettings<T>): T
}

const keyOfThisProcess = randomBytes(32).toString('base64url')

/** Without an operator: what is sealed or signed is worth nothing after the process ends. */
export const DEFAULT_SETTINGS: Settings = {
  model: NO_MODEL,
  secretKey: () => Promise.resolve(keyOfThisProcess),
  of: sliceSettingsFrom({}),
}

export function readSettings(env: NodeJS.ProcessEnv, dataDir: string): Settings {
  const read = environmentReader(env)
  const secretKey = read.optional('SECRET_KEY')
  if (secretKey !== undefined && secretKey.length < 32)
    throw new ConfigError('SECRET_KEY must have at least 32 random characters.')
  return {
    model: readModelSettings(read),
    secretKey: secretKeyOf({ secretKey, dataDir }),
    of: sliceSettingsFrom(env),
  }
}

/** Reads the settings of each slice once. */
export function sliceSettingsFrom(env: NodeJS.ProcessEnv): Settings['of'] {
  const values = new Map<SliceSettings<unknown>, unknown>()
  return <T>(settings: SliceSettings<T>) => {
    if (!values.has(settings)) values.set(settings, settings.read(environmentReader(env)))
    return values.get(settings) as T
  }
}
