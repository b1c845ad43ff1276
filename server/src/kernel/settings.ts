import { ConfigError, type EnvironmentReader, environmentReader } from './environment.ts'
import { type ModelSettings, NO_MODEL, readModelSettings } from './model/settings.ts'
import { secretKeyOf } from './secret-key.ts'

/** What the operator can set for one slice. The slice lists it, so that a wrong value stops the server from starting. */
export interface SliceSettings<T> {
  read(env: EnvironmentReader): T
}

/** What the operator can set. It reaches the slices through the wiring. */
export interface Settings {
  model: ModelSettings
  /** The key that seals the credentials of other services. It is created when it is first needed. */
  secretKey: () => Promise<string>
  of<T>(settings: SliceSettings<T>): T
}

export const DEFAULT_SETTINGS: Settings = {
  model: NO_MODEL,
  secretKey: () => Promise.reject(new Error('There is no secret key.')),
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
