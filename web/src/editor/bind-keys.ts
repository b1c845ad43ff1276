import { keydownHandler } from 'prosemirror-keymap'
import { type Command, Plugin } from 'prosemirror-state'
import type { EDITOR_KEYS, EditorKey } from './editor-keys.ts'

type Bindings<G extends keyof typeof EDITOR_KEYS> = Record<EditorKey<G>, Command>

/** Binds all keys of a group of the table, so that the shortcut sheet shows neither more nor less than what works. */
export const keyHandler = <G extends keyof typeof EDITOR_KEYS>(_group: G, bindings: Bindings<G>) =>
  keydownHandler(bindings)

export const bindKeys = <G extends keyof typeof EDITOR_KEYS>(group: G, bindings: Bindings<G>): Plugin =>
  new Plugin({ props: { handleKeyDown: keyHandler(group, bindings) } })
