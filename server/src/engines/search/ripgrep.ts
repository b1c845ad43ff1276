import { type ChildProcess, spawn } from 'node:child_process'
import { findUnbalanced, formsOf, type Query, type Refusal, readRefusal } from './pattern.ts'

const OPTIONS = [
  '--no-config',
  '--text',
  '--encoding=none',
  '--threads=1',
  // With mmap, ripgrep crashes if a file is truncated.
  '--no-mmap',
  '--line-number',
  '--with-filename',
  '--null',
  '--no-heading',
  '--color=never',
  // Leaves out the text of the lines, because only their numbers are used.
  '--max-columns=1',
  '--regex-size-limit=10M',
  '--dfa-size-limit=64M',
]
const MAX_STDERR_CHARACTERS = 16_384

export type Ended = { is: 'done' } | { is: 'stopped' } | { is: 'out of time' } | { is: 'refused'; refusal: Refusal }

export interface Run {
  query: Query
  folder: string
  /** Names of files in the folder, in the order in which to search them. */
  files: number[]
  endsAt: number
  signal: AbortSignal
  /** Called for each matching line with its number in the file. Returns false to stop. */
  onLine(file: number, line: number): boolean
}

const running = new Set<ChildProcess>()

export function killAll(): void {
  for (const one of running) one.kill('SIGKILL')
}

export async function runRipgrep(run: Run): Promise<Ended> {
  const unbalanced = findUnbalanced(run.query.pattern)
  if (unbalanced) return { is: 'refused', refusal: unbalanced }
  // Rejects on a platform that has no ripgrep package.
  const { rgPath } = await import('@vscode/ripgrep')
  let first: Ended | undefined
  for (const pattern of formsOf(run.query.pattern)) {
    const ended = await runOnce(rgPath, pattern, run)
    if (ended.is !== 'refused') return ended
    first ??= ended
  }
  return first!
}

function runOnce(path: string, pattern: string, run: Run): Promise<Ended> {
  const { query, folder, files, endsAt, signal, onLine } = run
  return new Promise((resolve, reject) => {
    const args = [...OPTIONS, query.caseSensitive ? '-s' : '-i', '-e', pattern, '--', ...files.map(String)]
    const child = spawn(path, args, { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let stderr = ''
    const end = (is: 'stopped' | 'out of time') => {
      child.kill('SIGKILL')
      child.stdout.destroy()
      resolve({ is })
    }
    const stop = () => end('stopped')
    const timer = setTimeout(() => end('out of time'), Math.max(endsAt - performance.now(), 0))
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    let rest = ''
    child.stdout.setEncoding('latin1').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        // `<file>NUL<line>:<text>`
        const fileEnd = line.indexOf('\0')
        const number = line.slice(fileEnd + 1, line.indexOf(':', fileEnd))
        if (!onLine(Number(line.slice(0, fileEnd)), Number(number))) return stop()
      }
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < MAX_STDERR_CHARACTERS) stderr += text
    })
    child.on('error', reject)
    child.on('close', (code, killedBy) => {
      running.delete(child)
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      if (code === 0 || code === 1) return resolve({ is: 'done' })
      const refusal = readRefusal(stderr)
      if (refusal) resolve({ is: 'refused', refusal })
      else reject(new Error(`ripgrep ended with ${killedBy ?? code}: ${stderr.slice(0, 500)}`))
    })
  })
}
