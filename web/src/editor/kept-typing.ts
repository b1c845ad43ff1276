import * as Y from 'yjs'
import { TAB } from '../lib/ids.ts'

/**
 * Keeps on this device what was typed and has not reached the server, so that it survives a reload. Only what the server
 * lacks is kept, not the document: merged into a document that was rebuilt meanwhile, a whole copy would double its text,
 * while a piece without its surroundings does nothing.
 */
export interface KeptTyping {
  /** Returns false if the device has no room for it. */
  keep(shared: Y.Doc): boolean
  /** Called when the server has everything. */
  forget(shared: Y.Doc): void
  /** Applies what was kept by this or another tab. Returns true if there was something. */
  restore(shared: Y.Doc): boolean
}

export function keptTyping(userId: string, documentName: string): KeptTyping {
  const prefix = `slipway-typed-${userId}-${documentName}-`
  let known: Uint8Array | undefined
  /** What this tab has taken over from others, as it was then. */
  const taken = new Map<string, string>()
  return {
    keep(shared) {
      if (!known) return false
      try {
        localStorage.setItem(prefix + TAB, toText(Y.encodeStateAsUpdate(shared, known)))
        return true
      } catch {
        return false
      }
    },
    forget(shared) {
      known = Y.encodeStateVector(shared)
      forgetItem(prefix + TAB)
      // Another tab may have kept more since: that is not on the server.
      for (const [name, text] of taken) if (readItem(name) === text) forgetItem(name)
      taken.clear()
    },
    restore(shared) {
      known ??= Y.encodeStateVector(shared)
      const names = namesOf(prefix)
      for (const name of names) {
        const text = readItem(name) ?? ''
        try {
          Y.applyUpdate(shared, toBytes(text), 'kept')
          taken.set(name, text)
        } catch {
          forgetItem(name)
        }
      }
      return names.length > 0
    },
  }
}

function namesOf(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix))
  } catch {
    // The browser forbids storage.
    return []
  }
}

function readItem(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function forgetItem(name: string): void {
  try {
    localStorage.removeItem(name)
  } catch {}
}

const PART = 0x8000

function toText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PART) text += String.fromCharCode(...bytes.subarray(at, at + PART))
  return btoa(text)
}

const toBytes = (text: string) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
