import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Failure } from './failure.ts'

export interface Profile {
  url: string
  key: string
}

interface Profiles {
  current: string
  profiles: Record<string, Profile>
}

const folderOf = () => path.join(process.env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config'), 'slipway')
export const profilesFile = () => path.join(folderOf(), 'profiles.json')

export async function readProfiles(): Promise<Profiles> {
  const text = await readFile(profilesFile(), 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return undefined
    throw err
  })
  if (text === undefined) return { current: 'default', profiles: {} }
  try {
    return JSON.parse(text) as Profiles
  } catch {
    throw new Failure(`"${profilesFile()}" is not valid JSON. Fix it, or delete it and run "slipway login" again.`)
  }
}

/** Only this user can read the keys. */
export async function writeProfiles(profiles: Profiles): Promise<void> {
  await mkdir(folderOf(), { recursive: true, mode: 0o700 })
  const draft = `${profilesFile()}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  await chmod(draft, 0o600)
  await rename(draft, profilesFile())
}

/** Flags win over the environment, the environment over the profile. */
export async function chosenProfile(flags: { url?: string; key?: string; profile?: string }): Promise<Profile> {
  const { SLIPWAY_URL, SLIPWAY_KEY, SLIPWAY_PROFILE } = process.env
  const { current, profiles } = await readProfiles()
  const name = flags.profile ?? SLIPWAY_PROFILE ?? current
  const stored = profiles[name]
  if ((flags.profile || SLIPWAY_PROFILE) && !stored)
    throw new Failure(
      `There is no profile "${name}". There are: ${Object.keys(profiles).join(', ') || 'none'}.`,
      'not found',
    )
  const url = checkedUrl(flags.url ?? SLIPWAY_URL ?? stored?.url ?? 'http://127.0.0.1:3000')
  // A kept key goes only to the server that it was kept for.
  const kept = stored && withoutSlash(stored.url) === withoutSlash(url) ? stored.key : undefined
  const key = flags.key ?? SLIPWAY_KEY ?? kept
  if (!key)
    throw new Failure('No key is known. Run "slipway login", or set SLIPWAY_URL and SLIPWAY_KEY.', 'not signed in')
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Failure('The key has spaces or characters that no key has. Copy it again.', 'not signed in')
  return { url, key }
}

/** The address of a server, as people open it. */
export function checkedUrl(url: string): string {
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new Failure(`"${url}" is not an address, such as https://slipway.example.org.`, 'wrong usage')
  return url
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '')
