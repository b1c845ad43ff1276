import { setTimeout as delay } from 'node:timers/promises'
import { createClient, type KeyClient } from '@slipway/sdk'
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

const WATCH_EVERY_MS = 2_000

/** Runs once, or with `--watch` again and again, and shows the result when it differs. */
export async function watching(isWatching: boolean | undefined, run: () => Promise<() => void>): Promise<void> {
  if (!isWatching) return (await run())()
  let shown: string | undefined
  for (;;) {
    const showResult = await run()
    const written = capture(showResult)
    if (written !== shown) {
      if (process.stdout.isTTY) process.stdout.write('\x1b[2J\x1b[H')
      process.stdout.write(written)
      shown = written
    }
    await delay(WATCH_EVERY_MS)
  }
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
