import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'

const SERVER = new URL('../../server/dist/bundle/', import.meta.url)

/** The programs of the server, which read the environment. */
export function addServer(program: Command): void {
  program
    .command('start')
    .description('Run the server here, with its data in ./data (see the guide "Operating")')
    .addHelpText('after', '\nThe environment configures it:\n  $ PORT=8080 DATA_DIR=/srv/slipway slipway start')
    .action(() => runProgram('main.js', 'start'))

  program
    .command('admin [arguments...]')
    .description('Manage people, projects and keys of the server whose data is here')
    .helpOption(false)
    .allowUnknownOption()
    .action(() => runProgram('admin.js', 'admin'))

  program
    .command('demo')
    .description('Fill a demo project into the server whose data is here')
    .action(() => runProgram('demo.js', 'demo'))
}

/** Hands over everything after the name, also options that the command line itself has, such as `--key`. */
async function runProgram(program: string, name: string): Promise<void> {
  const file = new URL(program, SERVER)
  if (!existsSync(file)) throw new Failure('The server is not built here. Run "npm run build" first.')
  process.argv.splice(2, process.argv.indexOf(name, 2) - 1)
  await import(file.href)
}
