import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'

const SERVER = new URL('../../server/dist/bundle/', import.meta.url)

const PROGRAMS = {
  start: { file: 'main.js', description: 'Run the server here, with its data in ./data (see the guide "Operating")' },
  admin: { file: 'admin.js', description: 'Manage people, projects and keys of the server whose data is here' },
  demo: { file: 'demo.js', description: 'Fill a demo project into the server whose data is here' },
}

/** The programs of the server, which read their own arguments and environment. */
export function addServer(program: Command): void {
  for (const [name, { file, description }] of Object.entries(PROGRAMS))
    program
      .command(`${name} [arguments...]`)
      .description(description)
      .helpOption(false)
      .allowUnknownOption()
      .action(() => runProgram(new URL(file, SERVER), name))
}

/** Hands over everything after the name, also options that the command line itself has, such as `--key`. */
async function runProgram(file: URL, name: string): Promise<void> {
  if (!existsSync(file)) throw new Failure('The server is not built here. Run "npm run build" first.')
  process.argv.splice(2, process.argv.indexOf(name, 2) - 1)
  await import(file.href)
}
