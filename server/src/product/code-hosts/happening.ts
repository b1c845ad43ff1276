import { CONTROL, cut } from '../../engines/text/characters.ts'
import type { CodePush } from '../automations/index.ts'
import type { Code } from './code-host.ts'

/** A push or pull request, in one form for all hosts. */
export interface Happening {
  push?: CodePush
  /** Each with the texts that may name work orders. */
  codes: { code: Code; texts: string[] }[]
  /** What the pull request means for its work orders. */
  move?: 'in_review' | 'completed'
}

export const MAX_COMMITS = 100
const MAX_PATHS = 1_000

/** A body from outside, which may lack anything. */
// biome-ignore lint/suspicious/noExplicitAny: every field is checked where it is read
export type Payload = any

const CONTROLS = new RegExp(CONTROL, 'g')

/** A text for a person. Anything else is empty. */
export const textOf = (value: unknown, max: number): string =>
  typeof value === 'string' ? cut(value.replace(CONTROLS, ' ').toWellFormed(), max) : ''

export const listOf = (value: unknown): Payload[] => (Array.isArray(value) ? value : [])

/** Only addresses that are safe to open. */
export const urlOf = (value: unknown): string =>
  typeof value === 'string' && value.length <= 2_000 && /^https?:$/.test(protocolOf(value)) ? value : ''

const protocolOf = (text: string) => (URL.canParse(text) ? new URL(text).protocol : '')

export function timeOf(value: unknown): string {
  const time =
    typeof value === 'string' ? new Date(value.replace(/ UTC$/, 'Z').replace(/ (\d)/, 'T$1')) : new Date(Number.NaN)
  return Number.isNaN(time.getTime()) ? new Date().toISOString() : time.toISOString()
}

interface PushedBranch {
  repository: string
  ref: string
  commitId: string
  pushedBy: string
  commits: Payload[]
}

/** Commits have the same fields on both hosts. Undefined if no branch was pushed, or it was deleted. */
export function readPush({ repository, ref, commitId, pushedBy, commits }: PushedBranch): Happening | undefined {
  if (!repository || !ref.startsWith('refs/heads/') || !/[1-9a-f]/.test(commitId)) return undefined
  const branch = ref.slice('refs/heads/'.length)
  const known = commits
    .filter((one) => typeof one?.id === 'string' && /^[0-9a-f]{7,64}$/.test(one.id))
    .slice(-MAX_COMMITS)
  return {
    push: {
      repository,
      ref,
      commitId,
      pushedBy: pushedBy || null,
      commits: known.map((one) => ({
        id: one.id,
        message: textOf(one.message, 10_000),
        author: textOf(one.author?.name, 500) || null,
        paths: [...listOf(one.added), ...listOf(one.modified), ...listOf(one.removed)]
          .map((path) => textOf(path, 1_000))
          .filter((path) => path !== '')
          .slice(0, MAX_PATHS),
      })),
    },
    codes: known.map((one) => ({
      code: {
        kind: 'commit',
        repository,
        reference: one.id,
        title: textOf(textOf(one.message, 10_000).split('\n', 1)[0], 500) || one.id.slice(0, 12),
        url: urlOf(one.url),
        author: textOf(one.author?.name, 500) || null,
        state: null,
        changedAt: timeOf(one.timestamp),
      },
      texts: [textOf(one.message, 10_000), branch],
    })),
  }
}

const KEY = /(?<![\p{L}\p{N}_])wo-([1-9]\d{0,8})(?![\p{L}\p{N}_])/giu
const MAX_NAMED = 20

/** The numbers of the work orders that texts name, such as `WO-12`, `wo-12-round-once` or `feature/WO-12`. */
export function numbersIn(texts: string[]): number[] {
  const found = texts.flatMap((text) => [...text.matchAll(KEY)].map(([, number]) => Number(number)))
  return [...new Set(found)].slice(0, MAX_NAMED)
}
