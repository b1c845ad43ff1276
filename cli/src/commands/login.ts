import { createInterface } from 'node:readline/promises'
import { createClient, NotFoundError } from '@slipway/sdk'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import { print, printJson, show } from '../output.ts'
import { checkedUrl, profilesFile, readProfiles, writeProfiles } from '../profiles.ts'
import type { Flags } from '../session.ts'

export function addLogin(program: Command): void {
  program
    .command('login [address]')
    .description('Keep the address of a server and a key under a name')
    .option('--name <name>', 'the name of the profile', 'default')
    .addHelpText('after', '\nExample:\n  $ slipway login https://slipway.example.org --key sofa-ext-…')
    .action(async (address: string | undefined, { name }: { name: string }, command: Command) => {
      const flags = command.optsWithGlobals<Flags>()
      const given = address ?? flags.url ?? (await ask('Address of the server: ', 'http://127.0.0.1:3000'))
      const url = checkedUrl(given).replace(/\/+$/, '')
      const key = flags.key ?? (await ask('Key (Settings → API keys): '))
      if (!name) throw new Failure('The name of a profile cannot be empty.', 'wrong usage')
      await createClient({ baseUrl: url, apiKey: key })
        .users.list({ page_size: 1 })
        .catch((err: unknown) => {
          throw err instanceof NotFoundError
            ? new Failure(
                `There is no Slipway at "${url}". Give the address that you open in the browser.`,
                'not found',
              )
            : err
        })
      const known = await readProfiles()
      await writeProfiles({ current: name, profiles: { ...known.profiles, [name]: { url, key } } })
      if (flags.json) printJson({ name, url, file: profilesFile() })
      else print(`Signed in at ${url}. The key is in ${profilesFile()}.`)
    })

  program
    .command('logout')
    .description('Forget a profile and its key')
    .option('--name <name>', 'the name of the profile')
    .action(async ({ name }: { name?: string }, command: Command) => {
      const known = await readProfiles()
      const forgotten = name ?? known.current
      if (!known.profiles[forgotten]) throw new Failure(`There is no profile "${forgotten}".`, 'not found')
      const { [forgotten]: _gone, ...profiles } = known.profiles
      await writeProfiles({ current: Object.keys(profiles)[0] ?? 'default', profiles })
      if (command.optsWithGlobals<Flags>().json) printJson({ name: forgotten })
      else print(`Forgot "${forgotten}". The key itself still works: revoke it under Settings → API keys.`)
    })

  program
    .command('profiles')
    .description('List the profiles')
    .action(async (_options, command: Command) => {
      const { current, profiles } = await readProfiles()
      const rows = Object.entries(profiles).map(([name, { url }]) => ({ name, url, current: name === current }))
      if (command.optsWithGlobals<Flags>().json) printJson(rows)
      else show(rows, ['name', 'url', 'current'], false)
    })
}

async function ask(question: string, preset?: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Failure('Give the address and --key: there is nobody to ask.', 'wrong usage')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = (await lines.question(preset ? `${question}[${preset}] ` : question)).trim()
  lines.close()
  if (!answer && !preset) throw new Failure('Nothing was given.', 'wrong usage')
  return answer || preset!
}
