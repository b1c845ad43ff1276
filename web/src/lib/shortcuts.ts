import { useLayoutEffect, useRef } from 'react'

export interface Shortcut {
  id: string
  /** A space separates the keys of a chord. */
  keys: string
  group: string
  name: string
  /** The sheet shows those with the same `line` together. */
  line?: string
}

/** The keys that every module has the same use for. */
const COMMON = [
  { id: 'palette', keys: 'mod+k', group: 'Anywhere', name: 'Command palette' },
  { id: 'search', keys: '/', group: 'Anywhere', name: 'Search' },
  { id: 'create', keys: 'c', group: 'Anywhere', name: 'Create' },
  { id: 'sheet', keys: '?', group: 'Anywhere', name: 'This sheet' },
  { id: 'submit', keys: 'mod+enter', group: 'Anywhere', name: 'Save, send' },
  { id: 'back', keys: 'escape', group: 'Anywhere', name: 'Back, close' },
  { id: 'undo', keys: 'mod+z', group: 'Anywhere', name: 'Undo' },
  { id: 'sidebar', keys: '[', group: 'Anywhere', name: 'Sidebar' },
  { id: 'next', keys: 'j', group: 'Lists', name: 'Down', line: 'Down, up' },
  { id: 'previous', keys: 'k', group: 'Lists', name: 'Up', line: 'Down, up' },
  { id: 'open', keys: 'enter', group: 'Lists', name: 'Open' },
  { id: 'open-beside', keys: 'mod+enter', group: 'Lists', name: 'Open beside' },
  { id: 'select', keys: 'x', group: 'Lists', name: 'Select' },
  { id: 'select-all', keys: 'mod+a', group: 'Lists', name: 'Select all' },
  { id: 'link', keys: 'mod+l', group: 'Lists', name: 'Copy link' },
  { id: 'row-menu', keys: 'shift+f10', group: 'Lists', name: 'Menu' },
  { id: 'delete', keys: 'backspace', group: 'Lists', name: 'Delete' },
] as const satisfies readonly Shortcut[]

export type ShortcutId = (typeof COMMON)[number]['id'] | `go-${string}`

/** One table for the sheet, the menus and the listener. */
const table: Shortcut[] = [...COMMON]
export const listShortcuts = (): readonly Shortcut[] => table
export const addShortcuts = (added: readonly Shortcut[]) => void table.push(...added)

const findKeys = (id: string) => table.find((one) => one.id === id)!.keys
export const keysOf: (id: ShortcutId) => string = findKeys

/** Adds the keys of a module to the table. Its files use what this returns, which knows them. */
export function defineShortcuts<const T extends readonly Shortcut[]>(added: T) {
  addShortcuts(added)
  type Id = ShortcutId | T[number]['id']
  return {
    keysOf: findKeys as (id: Id) => string,
    useShortcut: useKeys as (id: Id, handler: Act | undefined, options?: Options) => void,
  }
}

const CHORD_MS = 1_200
/** Returns false if there is nothing to do now: then another handler, or the browser, gets the keys. */
type Act = () => unknown

interface Options {
  inDialog?: boolean
  isDefault?: boolean
}

interface Handler {
  run: Act
  inDialog: boolean
}

const handlers = new Map<string, Handler[]>()

/**
 * Runs the handler when the keys are pressed. The handler that was added last wins, and a default one only if there is no
 * other: the frame can be added after the page in it. While a dialog is open, only the handlers of dialogs run.
 *
 * For parts that are given an id. `useShortcut` knows which there are.
 */
export function useKeys(
  id: string,
  handler: Act | undefined,
  { inDialog = false, isDefault = false }: Options = {},
): void {
  const latest = useRef(handler)
  latest.current = handler
  const isOn = handler !== undefined
  useLayoutEffect(() => {
    if (!isOn) return
    const added = { run: () => latest.current?.(), inDialog }
    const others = handlers.get(id) ?? []
    handlers.set(id, isDefault ? [added, ...others] : [...others, added])
    return () => {
      handlers.set(
        id,
        (handlers.get(id) ?? []).filter((one) => one !== added),
      )
    }
  }, [id, isOn, inDialog, isDefault])
}

export const useShortcut: (id: ShortcutId, handler: Act | undefined, options?: Options) => void = useKeys

/** What takes letters. A box or a switch takes only Space. */
const FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches(FIELDS) || target.closest('[data-own-keys]'))

/** Enter and Space belong to the focused control. */
const isControl = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('button, a, input') !== null

/** In a text they mean the text. */
const OF_TEXT = ['mod+z', 'mod+a', 'mod+l']

/** The letter on the key. Where people write in another script, the one that stands there on a Latin keyboard. */
function letterOf({ key, code }: KeyboardEvent): string {
  const isOtherScript = /^\p{L}$/u.test(key) && !/^[a-z]$/i.test(key)
  return (isOtherScript && /^Key([A-Z])$/.exec(code)?.[1]) || key
}

/** The keys as the table writes them. Of a sign alone, Shift is a part: `?`. */
export function namesOf(event: KeyboardEvent): string {
  const key = letterOf(event).toLowerCase()
  const mod = event.metaKey || event.ctrlKey ? 'mod+' : ''
  const shift = event.shiftKey && (mod || key.length > 1) ? 'shift+' : ''
  return mod + shift + key
}

/** Listens for all shortcuts of the page. */
export function useShortcutListener(): void {
  useLayoutEffect(() => {
    let pending: { key: string; at: number } | undefined
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      const name = namesOf(event)
      const typing = isTyping(event.target)
      if (typing && (!name.startsWith('mod+') || OF_TEXT.includes(name))) return
      if (name === 'enter' && isControl(event.target)) return
      const chord = pending && event.timeStamp - pending.at < CHORD_MS ? `${pending.key} ${name}` : undefined
      pending = undefined
      // A key may mean different things on different pages: the one that the page has a use for counts.
      const find = (wanted: string | undefined) => {
        const all = table.filter(({ keys }) => keys === wanted)
        return all.find(({ id }) => handlers.get(id)?.length) ?? all[0]
      }
      const found = find(chord) ?? find(name)
      const isBehind = document.querySelector('[role="dialog"], [role="menu"]') !== null
      const able = found && handlers.get(found.id)?.filter(({ inDialog }) => inDialog || !isBehind)
      if (able?.toReversed().some(({ run }) => run() !== false)) event.preventDefault()
      else if (table.some(({ keys }) => keys.startsWith(`${name} `))) pending = { key: name, at: event.timeStamp }
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
