import type { Command } from 'commander'
import { holdAgainstSpecification, type Verdict } from '../conformance/run.ts'
import { ServerUnderTest } from '../conformance/server-under-test.ts'
import { Failure } from '../failure.ts'
import { print, printJson } from '../output.ts'
import { chosenProfile } from '../profiles.ts'
import type { Flags } from '../session.ts'

export function addConformance(program: Command): void {
  program
    .command('conformance <url>')
    .description('Hold a server of this interface against the promises of the specification')
    .option('--reporting-key <key>', 'a key of the reporting API, to hand in feedback with')
    .addHelpText(
      'after',
      `
It makes documents, work orders, themes, automations and artifacts in the project of the key, and deletes them again. Use a
project that holds nothing of worth. Feedback that it hands in stays.

Example:
  $ slipway conformance http://127.0.0.1:3000 --key sofa-ext-… --reporting-key sf-rpt-…`,
    )
    .action(async (url: string, { reportingKey }: { reportingKey?: string }, command: Command) => {
      const flags = command.optsWithGlobals<Flags>()
      const { key } = await chosenProfile({ ...flags, url })
      const server = new ServerUnderTest(url, key, reportingKey)
      await checkKey(server)
      const verdicts = await holdAgainstSpecification(server)
      if (flags.json) printJson(verdicts)
      else for (const verdict of verdicts) print(describe(verdict))
      const failed = verdicts.filter(({ result }) => result === 'fail').length
      const promises = verdicts.reduce((sum, verdict) => sum + verdict.promises, 0)
      const summary = `${verdicts.length - failed} of ${verdicts.length} operations hold (${promises} promises)`
      if (failed > 0) throw new Failure(summary)
      if (!flags.json) print(summary)
    })
}

/** Without a server or a key, every promise would seem broken. */
async function checkKey(server: ServerUnderTest): Promise<void> {
  const { status } = await server.get('/users').catch(() => {
    throw new Failure(`"${server.url}" cannot be reached.`, 'unreachable')
  })
  if (status === 401 || status === 403)
    throw new Failure(
      `The server answered ${status}: it does not take this key. Give another with --key.`,
      'not signed in',
    )
}

function describe({ operation, result, faults, missing }: Verdict): string {
  const lines = [`${result.toUpperCase().padEnd(6)}  ${operation}`]
  for (const { promise, fault } of faults) lines.push(`          ${promise}: ${fault}`)
  if (missing) lines.push(`          not tried further: it needs ${missing}`)
  return lines.join('\n')
}
