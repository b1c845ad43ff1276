import { useLayoutEffect, useRef } from 'react'
import { cx } from '../lib/cx.ts'
import { useStore } from '../lib/store.ts'
import { dismissToast, holdToasts, releaseToasts, toasts } from '../lib/toasts.ts'
import { IconAlertTriangle, IconX } from './icons.ts'
import css from './Toasts.module.css'

const ROOM_PX = 24

export function Toasts() {
  const shown = useStore(toasts)
  const stack = useRef<HTMLDivElement>(null)
  // The page ends above them, so that they cover nothing.
  useLayoutEffect(() => {
    const height = shown.length > 0 ? `${stack.current!.offsetHeight + ROOM_PX}px` : '0px'
    document.documentElement.style.setProperty('--toasts', height)
  }, [shown])
  return (
    <div
      ref={stack}
      className={css.stack}
      role="status"
      aria-live="polite"
      onPointerEnter={holdToasts}
      onPointerLeave={releaseToasts}
      onFocus={holdToasts}
      onBlur={releaseToasts}
    >
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
          {toast.offer && (
            <button type="button" className={css.action} onClick={toast.offer.undo}>
              Undo
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
