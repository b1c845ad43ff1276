import { unavailable } from '../../errors.ts'

/** What all bodies together may occupy, unless `BODY_MEMORY_BYTES` says otherwise. */
export const BODY_MEMORY_BYTES = 128 * 1024 * 1024
/** One holder may occupy this part of it, so two others still have room. */
export const SHARES = 3

/** The memory of one body. */
export interface BodyMemory {
  /** Takes bytes before they are allocated. Throws 503 if all bodies, or those of one holder, would occupy too much. */
  take(bytes: number): void
  /** Something that may outlive the connection still uses the body. */
  keepUntil(end: Promise<unknown>): void
  /** The response was sent, or the connection was lost. */
  release(): void
}

export interface BodyBudget {
  /** Each holder has a share: the address of a client, a project. */
  open(holders: string[]): BodyMemory
}

/** Counts the bytes of all bodies that this process holds in memory, for all routes. */
export function createBodyBudget(limitBytes: number): BodyBudget {
  const shareBytes = Math.floor(limitBytes / SHARES)
  const byHolder = new Map<string, number>()
  let total = 0

  function add(holders: string[], bytes: number) {
    total += bytes
    for (const holder of holders) {
      const held = (byHolder.get(holder) ?? 0) + bytes
      if (held === 0) byHolder.delete(holder)
      else byHolder.set(holder, held)
    }
  }

  return {
    open(holders) {
      let taken = 0
      let users = 1
      let isReleased = false
      const leave = () => {
        if (--users > 0) return
        add(holders, -taken)
        taken = 0
      }
      return {
        take(bytes) {
          // A late chunk of a request that is over. Nobody would give its bytes back.
          if (users === 0) throw readingTooMuch()
          const fits = holders.every((holder) => (byHolder.get(holder) ?? 0) + bytes <= shareBytes)
          if (!fits || total + bytes > limitBytes) throw readingTooMuch()
          taken += bytes
          add(holders, bytes)
        },
        keepUntil(end) {
          users++
          end.then(leave, leave)
        },
        release() {
          if (isReleased) return
          isReleased = true
          leave()
        },
      }
    },
  }
}

/** Closes the connection with the response, because whatever follows on it is the rest of this body. */
function readingTooMuch() {
  const err = unavailable('reading_too_much', 'The server is reading too much at once. Try again in a moment.')
  err.headers.connection = 'close'
  return err
}
