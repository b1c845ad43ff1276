import { cx } from '../lib/cx.ts'
import { createStore, useStore } from '../lib/store.ts'
import { IconAlertTriangle, IconX } from './icons.ts'
import css from './Toasts.module.css'

export interface Toast {
  id: number
  text: string
  detail?: string
  tone?: 'error'
  action?: { label: string; run(): void }
}

const SHOWN_MS = 6_000
const MAX_SHOWN = 3
const store = createStore<Toast[]>([])
let last = 0

/** Shows a message for a few seconds. An error stays until it is dismissed. Returns its id. */
export function showToast(toast: Omit<Toast, 'id'>): number {
  const id = ++last
  store.set((shown) => [...shown, { ...toast, id }].slice(-MAX_SHOWN))
  if (toast.tone !== 'error') setTimeout(() => dismissToast(id), SHOWN_MS)
  return id
}

export const dismissToast = (id: number) => store.set((shown) => shown.filter((one) => one.id !== id))

export function Toasts() {
  const shown = useStore(store)
  return (
    <div className={css.stack} role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} className={cx(css.toast, toast.tone === 'error' && css.error)}>
          {toast.tone === 'error' && <IconAlertTriangle size={16} />}
          <div className={css.text}>
            {toast.text}
            {toast.detail && <div className={css.detail}>{toast.detail}</div>}
          </div>
          {toast.action && (
            <button
              type="button"
              className={css.action}
              onClick={() => {
                dismissToast(toast.id)
                toast.action?.run()
              }}
            >
              {toast.action.label}
            </button>
          )}
          <button type="button" className={css.close} aria-label="Dismiss" onClick={() => dismissToast(toast.id)}>
            <IconX size={14} />
          </button>
        </div>
      ))}
    </div>
  )
}
