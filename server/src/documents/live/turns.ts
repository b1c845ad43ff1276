import * as Y from 'yjs'
import type { Actor } from '../../kernel/context.ts'
import type { Typed } from './stored-state.ts'

/** So long without typing ends a turn when someone else has typed. */
const PAUSE_MS = 2_000
const LONGEST_MS = 30_000

interface Turn {
  author: Actor
  startedAtMs: number
  typedAtMs: number
  /** Without what others typed meanwhile; only while there is something. */
  own: Y.Doc | undefined
  waiting: { author: Actor; update: Uint8Array }[]
}

export interface Turns {
  /** `before` gives the document as it was just before the update. */
  type(author: Actor, update: Uint8Array, isSaved: boolean, before: () => Y.Doc): void
  takeIn(update: Uint8Array): void
  /** Whether the edits of someone who waited should now become a version of their own. */
  isOver(isLast: boolean): boolean
  /** Whose edits are to be saved, and how far: usually one author's, two when a turn ends. */
  toSave(now: Uint8Array, isLast: boolean): Typed[]
  saved(typed: Typed[]): void
  /** Someone has written in between: what was typed so far can no longer be told apart. */
  forget(author?: Actor): void
}

/**
 * A version has one author, and people who type at the same time would make one with every keystroke. So they take
 * turns: what others type meanwhile is stored with the turn's version, at once, and becomes their own when the turn ends.
 */
export function takeTurns(): Turns {
  let turn: Turn | undefined

  const start = (author: Actor): Turn => {
    const now = Date.now()
    return { author, startedAtMs: now, typedAtMs: now, own: undefined, waiting: [] }
  }
  const isPaused = ({ typedAtMs }: Turn) => Date.now() - typedAtMs > PAUSE_MS
  const isOver = (isLast: boolean) =>
    turn !== undefined &&
    turn.waiting.length > 0 &&
    (isLast || isPaused(turn) || Date.now() - turn.startedAtMs > LONGEST_MS)

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
    takeIn(update) {
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
