import { useState } from 'react'
import { rememberDraft, rememberedDraft } from './own-storage.ts'

/** A text that was not saved. It stays on this device until it is saved or discarded. */
export interface Draft {
  text: string
  at: number
  /** What it started from, so that a newer text of somebody else is noticed. */
  from?: DraftStart | undefined
}

export interface DraftStart {
  text: string
  etag: string | undefined
}

export function findDraft(name: string): Draft | undefined {
  try {
    const stored = rememberedDraft(name)
    return stored === undefined ? undefined : (JSON.parse(stored) as Draft)
  } catch {
    return undefined
  }
}

export const keepDraft = (name: string, text: string, from?: DraftStart): void =>
  rememberDraft(name, JSON.stringify({ text, at: Date.now(), from } satisfies Draft))

export const dropDraft = (name: string): void => rememberDraft(name, undefined)

/** The draft of that name, to be offered again. */
export function useDraft(name: string) {
  const [draft, setDraft] = useState(() => findDraft(name))
  return {
    draft,
    keep(text: string, from?: DraftStart) {
      keepDraft(name, text, from)
      setDraft(findDraft(name))
    },
    drop() {
      dropDraft(name)
      setDraft(undefined)
    },
  }
}

/** A text that is being written. It starts with its draft, and each change is kept as one. */
export function useDraftText(name: string, initial = ''): [text: string, change: (text: string) => void] {
  const [text, setText] = useState(() => findDraft(name)?.text ?? initial)
  const change = (next: string) => {
    setText(next)
    if (next) keepDraft(name, next)
    else dropDraft(name)
  }
  return [text, change]
}
