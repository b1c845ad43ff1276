import * as Y from 'yjs'
import type { Actor } from '../../kernel/context.ts'
import type { Typed } from './stored-state.ts'

/** A turn ends after this long without typing if someone else has typed. */
const PAUSE_MS = 2_000
const MAX_TURN_MS = 30_000

interface Turn {
  author: Actor
  startedAtMs: number
  typedAtMs: number
  /** The document without what others typed during the turn. Set only if they typed something. */
  own: Y.Doc | undefined
  waiting: { author: Actor; update: Uint8Array }[]
}

export interface AuthorTurns {
  /** `before` returns the document just before the update. */
  type(author: Actor, update: Uint8Array, isSaved: boolean, before: () => Y.Doc): void
  merge(update: Uint8Array): void
  /** True if the edits of a waiting author should become their own version now. */
  isOver(isLast: boolean): boolean
  /** Returns the authors to save and the state that each has reached: usually one, two when a turn ends. */
  toSave(now: Uint8Array, isLast: boolean): Typed[]
  saved(typed: Typed[]): void
  /** Called after a write from elsewhere. Earlier edits can no longer be attributed separately. */
  forget(author?: Actor): void
}

/**
 * A version has one author. Without turns, people who type at the same time would create a version with every
 * keystroke. Edits by others during a turn are stored at once with the version of the turn, and become a version of
 * their own when the turn ends.
 */
export function createAuthorTurns(): AuthorTurns {
  let turn: Turn | undefined

  const start = (author: Actor): Turn => {
    const now = Date.now()
    return { author, startedAtMs: now, typedAtMs: now, own: undefined, waiting: [] }
  }
  const isPaused = ({ typedAtMs }: Turn) => Date.now() - typedAtMs > PAUSE_MS
  const isOver = (isLast: boolean) =>
    turn !== undefined &&
    turn.waiting.length > 0 &&
    (isLast || isPaused(turn) || Date.now() - turn.startedAtMs > MAX_TURN_MS)

  return {
    isOver,
    type(author, update, isSaved, before) {
      if (!turn || (turn.author.userId !== author.userId && turn.waiting.length === 0 && isSaved && isPaused(turn)))
        turn = start(author)
      if (turn.author.userId === author.userId) {
        turn.typedAtMs = Date.now()
        if (turn.own) Y.applyUpdate(turn.own, update)
      } else {
        turn.own ??= before()
        turn.waiting.push({ author, update })
      }
    },
    merge(update) {
      if (turn?.own) Y.applyUpdate(turn.own, update)
    },
    toSave(now, isLast) {
      if (!turn) return []
      const [next] = turn.waiting
      if (!next || !turn.own || !isOver(isLast)) return [{ author: turn.author, state: now }]
      return [
        { author: turn.author, state: Y.encodeStateAsUpdate(turn.own) },
        { author: next.author, state: now },
      ]
    },
    saved(typed) {
      if (!turn || typed.length < 2) return
      const { own, waiting } = turn
      turn = start(typed.at(-1)!.author)
      for (const { author, update } of waiting) {
        if (author.userId === turn.author.userId) Y.applyUpdate(own!, update)
        else turn.waiting.push({ author, update })
      }
      if (turn.waiting.length > 0) turn.own = own
    },
    forget(author) {
      if (turn) turn = { ...turn, author: author ?? turn.author, own: undefined, waiting: [] }
    },
  }
}
