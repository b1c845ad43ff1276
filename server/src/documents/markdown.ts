import { unavailable } from '../kernel/errors.ts'
import { createThreads, ThreadCrashError, ThreadDeadlineError } from '../kernel/threads.ts'
import { invalidMarkdown } from './document.ts'
import { changes, difference, fault, settled, suggestion, view } from './markdown-worker.ts'
import { findCharacterFault } from './rich-text/validate.ts'

/** From this length on, reading a whole document would hold up other requests. */
const LARGE = 16_000
const DEADLINE_MS = 20_000

const tasks = { changes, difference, fault, settled, suggestion, view }
type Tasks = typeof tasks

const threads = createThreads<Tasks>({ module: new URL('./markdown-worker.js', import.meta.url), size: 1 })

type Input<K extends keyof Tasks> = Parameters<Tasks[K]>[0]
type Output<K extends keyof Tasks> = ReturnType<Tasks[K]>

async function read<K extends keyof Tasks>(task: K, input: Input<K>): Promise<Output<K>> {
  if (input.source.length < LARGE) return (tasks[task] as (input: Input<K>) => Output<K>)(input)
  try {
    return (await threads.run(task as never, input as never, { deadlineMs: DEADLINE_MS })) as Output<K>
  } catch (err) {
    if (err instanceof ThreadDeadlineError || err instanceof ThreadCrashError)
      throw unavailable(
        'timeout',
        'Reading this document took too long and was stopped; nothing was changed. Split it.',
      )
    throw err
  }
}

/** Refuses what the rich-text form cannot carry without loss, with the line and the reason. */
export const checkMarkdown = (source: string) => refuseFault({ source, fromStored: false })

/** The same for what a change made of a stored document: characters it had already are no fault of the change. */
export const checkChanged = (source: string) => refuseFault({ source, fromStored: true })

async function refuseFault(input: Input<'fault'>): Promise<void> {
  const found = await read('fault', input)
  if (found) throw invalidMarkdown(found.line, found.reason)
}

/** Refuses a piece of markdown that would be invalid in any document. */
export function checkCharacters(text: string): void {
  const found = findCharacterFault(text)
  if (found) throw invalidMarkdown(found.line, found.reason)
}

export const viewOf = async (input: Input<'view'>) => (input.show === 'inline' ? input.source : read('view', input))
export const suggestIn = (input: Input<'suggestion'>) => read('suggestion', input)
export const changesIn = (input: Input<'changes'>) => read('changes', input)
export const differenceOf = (input: Input<'difference'>) => read('difference', input)
export const settleIn = (input: Input<'settled'>) => read('settled', input)
