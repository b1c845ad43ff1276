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
    const read = createReader(onLine)
    child.stdout.on('data', (chunk: Buffer) => {
      if (!read(chunk)) stop()
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

const [NUL, LINE_FEED, COLON, ZERO] = [0x00, 0x0a, 0x3a, 0x30]

/** Parses lines of the form `<file>NUL<line>:<text>`. Splitting strings makes `.*` a quarter slower. */
function createReader(onLine: (file: number, line: number) => boolean) {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer): boolean => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, at)) {
      let [file, line] = [0, 0]
      while (bytes[at] !== NUL) file = file * 10 + bytes[at++]! - ZERO
      for (at++; bytes[at] !== COLON; at++) line = line * 10 + bytes[at]! - ZERO
      if (!onLine(file, line)) return false
      at = end + 1
    }
    rest = bytes.subarray(at)
    return true
  }
}
