import { Command, CommanderError } from 'commander'
import { addAutomations } from './commands/automations.ts'
import { addCompletion } from './commands/completion.ts'
import { addConformance } from './commands/conformance.ts'
import { addDocuments } from './commands/documents.ts'
import { addFeedback, addThemes } from './commands/feedback.ts'
import { addArtifacts, addConversations } from './commands/library.ts'
import { addLogin } from './commands/login.ts'
import { addOthers } from './commands/others.ts'
import { addServer } from './commands/server.ts'
import { addTransfers } from './commands/transfers.ts'
import { addWebhooks } from './commands/webhooks.ts'
import { addWorkOrders } from './commands/work-orders.ts'
import { describe, EXIT_CODES, Failure, kindOf } from './failure.ts'

const program = new Command('slipway')
  .description(
    'Slipway on the command line: the server itself, and the work orders, documents and feedback of a project.',
  )
  .version('0.1.0')
  .option('--url <address>', 'the address of the server (SLIPWAY_URL)')
  .option('--key <key>', 'a key of the external API (SLIPWAY_KEY)')
  .option('--profile <name>', 'a profile of "slipway login" (SLIPWAY_PROFILE)')
  .option('--json', 'answers as JSON, for programs')
  .addHelpText(
    'after',
    `
Examples:
  $ slipway start
  $ slipway login https://slipway.example.org
  $ slipway wo next --claim
  $ slipway wo context 12 --budget 8000
  $ slipway docs pull ./docs

Exit codes: ${Object.entries(EXIT_CODES)
      .map(([kind, code]) => `${code} ${kind}`)
      .join(', ')}`,
  )
  .exitOverride()
addServer(program)
addLogin(program)
addWorkOrders(program)
addDocuments(program)
addFeedback(program)
addThemes(program)
addArtifacts(program)
addConversations(program)
addAutomations(program)
addWebhooks(program)
addOthers(program)
addTransfers(program)
addConformance(program)
addCompletion(program)
for (const command of program.commands) overrideExit(command)

/** Lets wrong usage reach the code below, in commands too. */
function overrideExit(command: Command): void {
  command.exitOverride()
  // `slipway wo` lists, so an unknown command reaches the list as a value. The hook below names it.
  if (command.name() === 'list') command.allowExcessArguments()
  for (const one of command.commands) overrideExit(one)
}

program.hook('preAction', (_program, { args, registeredArguments, parent }) => {
  const unknown = args[registeredArguments.length]
  if (unknown === undefined || registeredArguments.at(-1)?.variadic || !parent || parent === program) return
  const known = parent.commands.map((one) => one.name()).join(', ')
  throw new Failure(`"slipway ${parent.name()}" has no command "${unknown}", but ${known}.`, 'wrong usage')
})

// A reader that has seen enough, such as `head`, is no error.
process.stdout.on('error', (err: NodeJS.ErrnoException) => process.exit(err.code === 'EPIPE' ? 0 : 1))

try {
  await program.parseAsync()
} catch (err) {
  if (err instanceof CommanderError) process.exit(err.exitCode === 0 ? 0 : EXIT_CODES['wrong usage'])
  process.stderr.write(`slipway: ${describe(err)}\n`)
  process.exit(EXIT_CODES[kindOf(err)])
}
