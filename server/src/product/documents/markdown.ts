import { mayHaveChanges } from '../../engines/markdown/suggestions/critic-markup.ts'
import { findCharacterFault } from '../../engines/markdown/suggestions/validate.ts'
import type { Actor } from '../../kernel/context.ts'
import { inThreads } from '../../kernel/threads/threads.ts'
import { invalidMarkdown } from './document.ts'
import { changes, difference, type FoundChange, fault, settled, suggestion, view } from './markdown-worker.ts'

/** Longer documents are parsed in a thread. `bench/large-documents.mjs` measures the delay just below this length. */
const LARGE = 16_000
const DEADLINE_MS = 20_000

const tasks = { changes, difference, fault, settled, suggestion, view }
type Tasks = typeof tasks

const threads = inThreads<Tasks>(new URL('./markdown-worker.js', import.meta.url))

type Input<K extends keyof Tasks> = Parameters<Tasks[K]>[0]
type Output<K extends keyof Tasks> = ReturnType<Tasks[K]>

type Computing = { actor: Pick<Actor, 'projectId'> }

async function read<K extends keyof Tasks>({ actor }: Computing, task: K, input: Input<K>): Promise<Output<K>> {
  if (lengthOf(input) < LARGE) return (tasks[task] as (input: Input<K>) => Output<K>)(input)
  return threads.run(actor.projectId, task as never, input as never, { deadlineMs: DEADLINE_MS }) as Promise<Output<K>>
}

/** Adds up all texts, because a short document can be compared with a long one. */
function lengthOf(input: object): number {
  let length = 0
  for (const value of Object.values(input)) if (typeof value === 'string') length += value.length
  return length
}

/** Refuses markdown that the rich-text form cannot represent without loss, with the line and the reason. */
export async function checkMarkdown(ctx: Computing, source: string): Promise<void> {
  refuseFault(await read(ctx, 'fault', { source, fromStored: false }))
}

/** A text that was checked, with its suggestions. */
export interface CheckedText {
  markdownContent: string
  found: FoundChange[]
}

export async function checkNewText(ctx: Computing, source: string): Promise<CheckedText> {
  await checkMarkdown(ctx, source)
  const found = mayHaveChanges(source) ? await changesIn(ctx, { source, previous: [] }) : []
  return { markdownContent: source, found }
}

/**
 * Like `checkMarkdown`, for the result of a change: ignores invalid characters that the stored document may already
 * contain.
 */
export async function checkChanged(ctx: Computing, source: string): Promise<void> {
  refuseFault(await read(ctx, 'fault', { source, fromStored: true }))
}

/** Refuses text with characters that are invalid in every document. */
export const checkCharacters = (text: string): void => refuseFault(findCharacterFault(text))

export function refuseFault(found: Output<'fault'>): void {
  if (found) throw invalidMarkdown(found.line, found.reason)
}

export const viewOf = async (ctx: Computing, input: Input<'view'>) =>
  input.show === 'inline' ? input.source : read(ctx, 'view', input)
export const suggestIn = (ctx: Computing, input: Input<'suggestion'>) => read(ctx, 'suggestion', input)
export const changesIn = (ctx: Computing, input: Input<'changes'>) => read(ctx, 'changes', input)
export const differenceOf = (ctx: Computing, input: Input<'difference'>) => read(ctx, 'difference', input)
export const settleIn = (ctx: Computing, input: Input<'settled'>) => read(ctx, 'settled', input)
