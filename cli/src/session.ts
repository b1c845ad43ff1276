import { setTimeout as delay } from 'node:timers/promises'
import { createClient, type KeyClient, SlipwayError } from '@slipway/sdk'
import type { Command } from 'commander'
import { chosenProfile, type Profile } from './profiles.ts'

export interface Flags {
  url?: string
  key?: string
  profile?: string
  json?: boolean
}

export interface Session {
  client: KeyClient
  profile: Profile
  asJson: boolean
}

export async function open(command: Command): Promise<Session> {
  const flags = command.optsWithGlobals<Flags>()
  const profile = await chosenProfile(flags)
  const client = createClient({ baseUrl: profile.url.replace(/\/+$/, ''), apiKey: profile.key })
  return { client, profile, asJson: flags.json === true }
}

const AGAIN_AFTER_MS = 2_000

/** Does something again and again. Once it has worked, a server that restarts does not end it. */
export async function againAndAgain(run: () => Promise<void>): Promise<never> {
  for (let hasWorked = false; ; await delay(AGAIN_AFTER_MS)) {
    try {
      await run()
      hasWorked = true
    } catch (err) {
      const isPassing = err instanceof SlipwayError && (err.status === 0 || err.status === 429 || err.status >= 500)
      if (!hasWorked || !isPassing) throw err
    }
  }
}

/** Runs once, or with `--watch` again and again, and shows the result when it differs. */
export async function watching(isWatching: boolean | undefined, run: () => Promise<() => void>): Promise<void> {
  if (!isWatching) return (await run())()
  let shown: string | undefined
  await againAndAgain(async () => {
    const showResult = await run()
    const written = capture(showResult)
    if (written === shown) return
    if (process.stdout.isTTY) process.stdout.write('\x1b[2J\x1b[H')
    process.stdout.write(written)
    shown = written
  })
}

function capture(run: () => void): string {
  const { write } = process.stdout
  let text = ''
  process.stdout.write = ((chunk: string) => {
    text += chunk
    return true
  }) as typeof process.stdout.write
  try {
    run()
  } finally {
    process.stdout.write = write
  }
  return text
}
