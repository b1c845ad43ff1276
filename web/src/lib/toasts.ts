import { createStore } from './store.ts'

export interface Toast {
  id: number
  text: string
  detail?: string
  tone?: 'error'
  action?: { label: string; run(): void }
}

const SHOWN_MS = 6_000
const MAX_SHOWN = 3
export const toasts = createStore<Toast[]>([])
let last = 0

/** Shows a message for a few seconds. An error stays until it is dismissed. Returns its id. */
export function showToast(toast: Omit<Toast, 'id'>): number {
  const id = ++last
  toasts.set((shown) => [...shown, { ...toast, id }].slice(-MAX_SHOWN))
  if (toast.tone !== 'error') setTimeout(() => dismissToast(id), SHOWN_MS)
  return id
}

export const dismissToast = (id: number) => toasts.set((shown) => shown.filter((one) => one.id !== id))
