import { createStore } from './store.ts'
import { offerUndo } from './undo.ts'

export interface Toast {
  text: string
  detail?: string
  tone?: 'error'
  action?: { label: string; run(): void }
  /** Takes back what the message is about. It is offered in the list of the last changes too. */
  undo?: () => void
  /** Makes final what `undo` would prevent, as soon as the message is gone. Undo is offered no longer then. */
  final?: () => void
}

interface Shown extends Omit<Toast, 'undo'> {
  id: number
  offer?: ReturnType<typeof offerUndo>
}

const SHOWN_MS = 6_000
/** Long enough to notice a slip. */
const UNDO_MS = 10_000
const MAX_SHOWN = 3
export const toasts = createStore<Shown[]>([])
/** Undefined while somebody reads it. */
const timers = new Map<number, ReturnType<typeof setTimeout> | undefined>()
let last = 0

/** Shows a message for a few seconds. An error stays until it is dismissed. Returns its id. */
export function showToast({ undo, final, ...toast }: Toast): number {
  const id = ++last
  let isUndone = false
  const shown: Shown = { ...toast, id }
  if (undo)
    shown.offer = offerUndo(toast.text, () => {
      isUndone = true
      dismissToast(id)
      undo()
    })
  if (final)
    shown.final = () => {
      if (isUndone) return
      shown.offer?.withdraw()
      final()
    }
  for (const old of toasts.get().slice(0, -MAX_SHOWN + 1)) dismissToast(old.id)
  toasts.set((all) => [...all, shown])
  if (toast.tone !== 'error') timers.set(id, setTimeout(dismissToast, timeOf(shown), id))
  return id
}

const timeOf = ({ offer }: Shown) => (offer ? UNDO_MS : SHOWN_MS)

export function dismissToast(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  const toast = toasts.get().find((one) => one.id === id)
  toasts.set((shown) => shown.filter((one) => one.id !== id))
  toast?.final?.()
}

/** What somebody points at, or has the focus in, waits. */
export function holdToasts(): void {
  for (const [id, timer] of timers) {
    clearTimeout(timer)
    timers.set(id, undefined)
  }
}

export function releaseToasts(): void {
  for (const toast of toasts.get())
    if (timers.has(toast.id)) timers.set(toast.id, setTimeout(dismissToast, timeOf(toast), toast.id))
}
