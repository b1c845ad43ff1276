import type { Draft, DraftStart } from '../../lib/drafts.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { mergeText, restoreEndings } from './merge-text.ts'

/** The text as the server has it. */
export type Stored = DraftStart

export type SourceState =
  | { is: 'saved' | 'saving' | 'waiting' }
  /** The server would not take the text, or did not. */
  | { is: 'invalid'; reason: string }
  | { is: 'conflict'; theirs: Stored }

export interface MarkdownSource {
  text: Store<string | undefined>
  state: Store<SourceState>
  /** True if the device has what the server has not. */
  isKept(): boolean
  /** Called with what the server has, first and whenever it may have changed. */
  receive(stored: Stored): void
  type(text: string): void
  save(): Promise<void>
  takeTheirs(): void
  keepMine(): void
}

interface Options {
  /** Why the server would not take a text. */
  findFault?: ((text: string) => string | undefined) | undefined
  send(markdown: string, etag: string | undefined): Promise<Stored>
  reload(): Promise<Stored>
  drafts: { find(): Draft | undefined; keep(text: string, from: Stored): void; drop(): void }
}

/**
 * The markdown of a document while someone types it. Every key is kept on the device until the server has the text, and
 * the state says "saved" only then. What others have written is merged line by line.
 */
export function createMarkdownSource({ findFault, send, reload, drafts }: Options): MarkdownSource {
  const text = createStore<string | undefined>(undefined)
  const state = createStore<SourceState>({ is: 'saved' })
  let base: Stored | undefined
  let running: Promise<void> | undefined

  const isDirty = () => base !== undefined && text.get() !== shownOf(base.text)
  const set = (next: string) => {
    text.set(next)
    if (isDirty()) drafts.keep(next, base!)
    else drafts.drop()
  }

  /** Puts what was typed since `from` on top of what the server has. */
  function rebase(from: Stored, mine: string, theirs: Stored): boolean {
    const merged = mergeText(shownOf(from.text), mine, shownOf(theirs.text))
    if (merged === undefined) {
      base = from
      text.set(mine)
      drafts.keep(mine, from)
      state.set({ is: 'conflict', theirs })
      return false
    }
    base = theirs
    set(merged)
    return true
  }

  async function saveOnce(): Promise<void> {
    const from = base!
    const sent = text.get()!
    const reason = findFault?.(sent)
    if (reason) {
      state.set({ is: 'invalid', reason })
      return
    }
    state.set({ is: 'saving' })
    try {
      base = await send(restoreEndings(from.text, sent), from.etag)
      set(text.get()!)
    } catch (err) {
      // An error without a status is one without an answer.
      const { status = 0 } = err as { status?: number }
      if (status === 412) {
        if (!rebase(from, text.get()!, await reload())) return
      } else {
        const isAway = status === 0 || status === 429 || status >= 500
        state.set(isAway ? { is: 'waiting' } : { is: 'invalid', reason: (err as Error).message })
        return
      }
    }
    if (isDirty()) await saveOnce()
    else state.set({ is: 'saved' })
  }

  const save = (): Promise<void> => {
    if (state.get().is === 'conflict') return Promise.resolve()
    running ??= (isDirty() ? saveOnce() : Promise.resolve(state.set({ is: 'saved' })))
      .catch(() => state.set({ is: 'waiting' }))
      .finally(() => {
        running = undefined
      })
    return running
  }

  const settle = (theirs: Stored, mine: string) => {
    base = theirs
    set(mine)
    state.set({ is: isDirty() ? 'saving' : 'saved' })
    void save()
  }

  return {
    text,
    state,
    isKept: () => !isDirty() || drafts.find()?.text === text.get(),
    receive(stored) {
      const kept = base === undefined ? drafts.find() : undefined
      if (kept?.from) {
        if (kept.from.etag === stored.etag) settle(stored, kept.text)
        else if (rebase(kept.from, kept.text, stored)) settle(stored, text.get()!)
      } else if (!isDirty() && !running) {
        base = stored
        set(shownOf(stored.text))
      }
    },
    type(next) {
      set(next)
      const { is } = state.get()
      if (is === 'saved' && isDirty()) state.set({ is: 'saving' })
      else if (!isDirty() && is !== 'conflict' && !running) state.set({ is: 'saved' })
    },
    save,
    takeTheirs() {
      const now = state.get()
      if (now.is === 'conflict') settle(now.theirs, shownOf(now.theirs.text))
    },
    keepMine() {
      const now = state.get()
      if (now.is === 'conflict') settle(now.theirs, text.get()!)
    },
  }
}

/** As a text field shows it. */
const shownOf = (text: string) => text.replaceAll(/\r\n?/g, '\n')
