import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from '../../src/engines/embedded-postgres/index.ts'
import { endAfterTest } from './data-folder.ts'

export const script = fileURLToPath(new URL('./open-database.mjs', import.meta.url))

type Said = { connection?: EmbeddedPostgres['connection']; stopped?: true; failure?: string; message?: string }

export interface DatabaseProcess {
  pid: number
  first: Said
  lines: string[]
  /** Stops it gracefully and returns the exit code. */
  finish(): Promise<number | null>
  kill(): Promise<void>
}

/** Opens the database in a separate process, as the server or the admin command line would. */
export async function openInProcess(
  options: Omit<EmbeddedPostgresOptions, 'log'> & { umask?: number },
  as: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv; detached?: boolean; command?: string[] } = {},
): Promise<DatabaseProcess> {
  const [command, ...before] = [...(as.command ?? []), process.execPath]
  const settings = { fsync: 'off', ...options.settings }
  const child = spawn(command!, [...before, script, JSON.stringify({ ...options, settings })], {
    env: as.env ?? process.env,
    detached: as.detached ?? false,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(as.uid !== undefined && { uid: as.uid, gid: as.gid ?? as.uid }),
  })
  endAfterTest(child)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const lines: string[] = []
  const first = await new Promise<Said>((resolve, reject) => {
    createInterface(child.stdout!).on('line', (line) => {
      lines.push(line)
      resolve(JSON.parse(line))
    })
    child.once('error', reject)
    exited.then((code) => reject(new Error(`The process ended with ${code} and said nothing.`)))
  })
  return {
    pid: child.pid!,
    first,
    lines,
    finish: () => {
      child.stdin!.end()
      return exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
