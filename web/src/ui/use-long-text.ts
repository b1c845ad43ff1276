import { useRef, useState } from 'react'
import { type DraftStart, dropDraft, keepDraft, useDraft } from '../lib/drafts.ts'
import { discardWrite, retryWrite, type Write } from '../lib/outbox/index.ts'
import { showToast } from '../lib/toasts.ts'

interface Options {
  /** The name of its draft on this device. */
  draft: string
  /** The text as it is, and the state that it belongs to. */
  start: DraftStart
  /** The change that has not reached the server yet, if there is one. */
  write: Write | undefined
  /** What a write would have changed the text to, and from what. */
  lost(write: Write): { text: string; from: DraftStart }
  /** Sends the text in the background. */
  send(text: string, from: DraftStart): void
}

/**
 * Editing a long text. It is shown as saved at once and sent in the background. A text that is not saved, or not even
 * sent, stays on this device and is offered again.
 */
export function useLongText({ draft: name, start, write, lost, send }: Options) {
  const kept = useDraft(name)
  /** Undefined while it is only read. */
  const [text, setText] = useState<string>()
  const failed = write?.state === 'failed' ? write : undefined

  // The text may be changed by others while somebody writes.
  const from = useRef<DraftStart>(undefined)
  const change = (next: string, first?: DraftStart) => {
    from.current = first ?? from.current ?? start
    setText(next)
    if (next === from.current.text) dropDraft(name)
    else keepDraft(name, next, from.current)
  }
  const close = () => {
    setText(undefined)
    from.current = undefined
    kept.drop()
  }
  /** Ends the edit. What was typed stays on this device as a draft. */
  const cancel = () => {
    const first = from.current
    close()
    if (text === undefined || !first || text === first.text) return
    kept.keep(text, first)
    // Nothing that was typed since is replaced.
    const undo = () => from.current ?? change(text, first)
    showToast({ text: 'Draft kept', action: { label: 'Undo', run: () => void undo() } })
  }
  /** Ends the edit, because its text is sent. Returns what it started from. */
  const finish = () => {
    const first = from.current ?? start
    // A box that is ticked while nothing is edited leaves the draft alone.
    if (text !== undefined) close()
    if (failed) discardWrite(failed.id)
    return first
  }
  const discardDraft = () => {
    const { draft } = kept
    kept.drop()
    if (!draft) return
    const undo = () => kept.keep(draft.text, draft.from)
    showToast({ text: 'Draft discarded', action: { label: 'Undo', run: undo } })
  }
  return {
    text,
    change: (next: string) => change(next),
    cancel,
    /** Begins an edit: with the text as it is, or with what was typed before. */
    open: () => (kept.draft ? change(kept.draft.text, kept.draft.from) : change(start.text)),
    finish,
    save(value = text) {
      if (value === undefined) return
      const first = finish()
      if (value !== first.text) send(value, first)
    },
    /** A text from an earlier visit. */
    draft: text === undefined && !write ? kept.draft : undefined,
    resumeDraft: () => kept.draft && change(kept.draft.text, kept.draft.from),
    discardDraft,
    /** What has not reached the server yet. */
    write,
    /** The write that failed, with its text and what can be done. */
    failed: failed && {
      write: failed,
      text: lost(failed).text,
      retry: () => retryWrite(failed.id),
      keep() {
        kept.keep(lost(failed).text, lost(failed).from)
        discardWrite(failed.id)
      },
      edit() {
        change(lost(failed).text, lost(failed).from)
        discardWrite(failed.id)
      },
    },
  }
}

export type LongText = ReturnType<typeof useLongText>
