import { useRef, useState } from 'react'
import { type DraftStart, dropDraft, keepDraft, useDraft } from '../../lib/drafts.ts'
import { discardWrite, retryWrite, useWrites } from '../../lib/outbox/index.ts'
import { showToast } from '../../lib/toasts.ts'
import type { LoadedWorkOrder } from '../api.ts'
import { editText, startOf, type TextChange, type TextField, textOf } from '../texts.ts'

/**
 * Editing a long text. It is shown as saved at once and sent in the background. A text that is not saved, or not even
 * sent, stays on this device and is offered again.
 */
export function useTextEdit(projectId: string, workOrder: LoadedWorkOrder, field: TextField) {
  const name = `${workOrder.id}-${field}`
  const kept = useDraft(name)
  /** Undefined while it is only read. */
  const [text, setText] = useState<string>()
  const write = useWrites(workOrder.id).find(({ kind, part }) => kind === 'work-orders.text' && part === field)
  const failed = write?.state === 'failed' ? write : undefined
  const lost = failed?.input as TextChange

  // The work order may change while somebody writes.
  const from = useRef<DraftStart>(undefined)
  const change = (next: string, start?: DraftStart) => {
    from.current = start ?? from.current ?? startOf(workOrder, field)
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
    const start = from.current
    close()
    if (text === undefined || !start || text === start.text) return
    kept.keep(text, start)
    // Nothing that was typed since is replaced.
    const undo = () => from.current ?? change(text, start)
    showToast({ text: 'Draft kept', action: { label: 'Undo', run: () => void undo() } })
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
    change,
    cancel,
    /** Begins an edit: with the text as it is, or with what was typed before. */
    open: () => (kept.draft ? change(kept.draft.text, kept.draft.from) : change(textOf(workOrder, field))),
    save(value = text) {
      if (value === undefined) return
      const start = from.current ?? startOf(workOrder, field)
      // A box that is ticked while nothing is edited leaves the draft alone.
      if (text !== undefined) close()
      if (value === start.text) return
      if (failed) discardWrite(failed.id)
      void editText(projectId, workOrder, field, value, start)
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
      text: lost.text,
      retry: () => retryWrite(failed.id),
      keep() {
        kept.keep(lost.text, { text: lost.base, etag: lost.etag })
        discardWrite(failed.id)
      },
      edit() {
        change(lost.text, { text: lost.base, etag: lost.etag })
        discardWrite(failed.id)
      },
    },
  }
}

export type TextEdit = ReturnType<typeof useTextEdit>
