/** The keys of the editor: what `editor/bind-keys.ts` binds, and the shortcut sheet shows. */
export const EDITOR_KEYS = {
  text: [
    { bound: ['Mod-b'], name: 'Bold' },
    { bound: ['Mod-i'], name: 'Italic' },
    { bound: ['Mod-e'], name: 'Code' },
    { bound: ['Mod-Shift-x'], name: 'Strikethrough' },
    { bound: ['Mod-k'], name: 'Link' },
    { bound: ['Mod-Alt-1', 'Mod-Alt-2', 'Mod-Alt-3'], shown: 'mod+alt+1–3', name: 'Heading' },
    { bound: ['Mod-Alt-0'], name: 'Paragraph' },
    { bound: ['Tab'], name: 'Indent, next cell' },
    { bound: ['Shift-Tab'], name: 'Outdent, previous cell' },
    { bound: ['Enter'], name: 'New line, cell below, code' },
    { bound: ['Shift-Enter'], name: 'Line break' },
    { bound: ['Mod-Enter'], name: 'Tick a task, leave code' },
    { bound: ['Backspace'], name: 'At the start: plain text' },
    { bound: ['Mod-z'], name: 'Undo' },
    { bound: ['Mod-y', 'Mod-Shift-z'], name: 'Redo' },
  ],
  blocks: [
    { bound: ['Alt-Shift-ArrowUp', 'Alt-Shift-ArrowDown'], shown: 'alt+shift+up+down', name: 'Move a block' },
    { bound: ['Mod-/'], name: 'Menu of a block' },
  ],
  cells: [
    { bound: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'], shown: 'arrows', name: 'From cell to cell' },
    {
      bound: ['Shift-ArrowUp', 'Shift-ArrowDown', 'Shift-ArrowLeft', 'Shift-ArrowRight'],
      shown: 'shift+arrows',
      name: 'Select cells',
    },
  ],
  page: [
    { bound: ['Mod-Alt-m'], name: 'Comment' },
    { bound: ['Mod-f'], name: 'Find' },
  ],
  proposal: [{ bound: ['Escape'], name: 'Leave a proposed block' }],
} as const satisfies Record<string, readonly EditorLine[]>

interface EditorLine {
  /** As ProseMirror names keys. */
  bound: readonly string[]
  /** How the sheet shows them, if not one by one. */
  shown?: string
  name: string
}

type Table = typeof EDITOR_KEYS
export type EditorKey<G extends keyof Table> = Table[G][number]['bound'][number]

/** What opens a list while one types. */
export const TYPED = { insert: '/', mention: '@' } as const

/** `Mod-Shift-x` as the sheet writes it: `mod+shift+x`. */
const shownKey = (key: string) => key.replace(/-(?=.)/g, '+').toLowerCase()

/** The heads of the sheet. */
const GROUPS: Record<keyof Table, string> = {
  text: 'Writing',
  blocks: 'Blocks and tables',
  cells: 'Blocks and tables',
  page: 'Documents',
  proposal: 'Documents',
}

const typed: EditorLine[] = [
  { bound: [], shown: TYPED.insert, name: 'Insert a block' },
  { bound: [], shown: TYPED.mention, name: 'Link to something' },
]

const shortcutsOf = (group: string, lines: readonly EditorLine[]) =>
  lines.flatMap(({ bound, shown, name }) =>
    (shown ? [shown] : bound.map(shownKey)).map((keys) => ({ id: `text ${keys}`, keys, group, name, line: name })),
  )

export const EDITOR_SHORTCUTS = [
  ...Object.entries(EDITOR_KEYS).flatMap(([group, lines]) => shortcutsOf(GROUPS[group as keyof Table], lines)),
  ...shortcutsOf(GROUPS.text, typed),
]
