import type { Change } from './changes.ts'
import { createStore } from './store.ts'

/** What somebody else has just done, for the top bar. */
export interface Notice {
  id: string
  actor: Change['actor']
  /** What they did: "moved WO-41 to In review". */
  text: string
  /** Opens what they changed. */
  open?: (() => void) | undefined
}

const SHOWN_MS = 7_000
export const notice = createStore<Notice | undefined>(undefined)
let timer: ReturnType<typeof setTimeout> | undefined

/** Says for a few seconds what somebody else did. The last one wins. */
export function showNotice(next: Notice): void {
  notice.set(next)
  clearTimeout(timer)
  timer = setTimeout(() => notice.set(undefined), SHOWN_MS)
}

const FLASH_MS = 2_400

/** Tints the rows and cards of what somebody else changed (`data-row`), and fades. */
export function flash(id: string): void {
  requestAnimationFrame(() => {
    for (const row of document.querySelectorAll(`[data-row="${CSS.escape(id)}"]`)) {
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches
      const tint = getComputedStyle(row).getPropertyValue('--accent-soft')
      row.animate([{ backgroundColor: tint }, { backgroundColor: tint, offset: still ? 1 : 0.4 }, {}], FLASH_MS)
    }
  })
}
