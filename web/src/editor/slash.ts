import { setBlockType, wrapIn } from 'prosemirror-commands'
import { Fragment, type Node } from 'prosemirror-model'
import { wrapInList } from 'prosemirror-schema-list'
import { type Command, type EditorState, Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { keyInList } from '../lib/listbox.ts'
import { createStore } from '../lib/store.ts'
import { TYPED } from './editor-keys.ts'
import { makeTaskList } from './keymap.ts'
import { schema } from './schema.ts'
import { createTable } from './tables/commands.ts'

const { nodes } = schema

export interface SlashItem {
  id: string
  title: string
  hint?: string
  /** What one can type instead. */
  keys?: string
  group: 'Blocks' | 'Insert'
  words: string
  run: Command | keyof SlashTools
}

/** What needs more than a command. */
interface SlashTools {
  picture(view: EditorView): void
  link(view: EditorView): void
}

/** Puts blocks after the line at the cursor, or in its place if it is empty. The cursor goes to the offset in them. */
const insert =
  (make: () => Node | Node[], offset = 1): Command =>
  (state, dispatch) => {
    const { $from } = state.selection
    const isEmpty = $from.parent.type === nodes.paragraph && $from.parent.content.size === 0
    const at = isEmpty ? $from.before() : $from.after()
    const made = Fragment.from(make())
    const { tr } = state
    tr.replaceWith(at, isEmpty ? $from.after() : at, made)
    const end = at + made.size
    const isAtom = made.childCount === 1 && made.firstChild!.isAtom
    if (made.lastChild!.isAtom && !tr.doc.nodeAt(end)) tr.insert(end, nodes.paragraph.create())
    dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(isAtom ? end : at + offset))).scrollIntoView())
    return true
  }

const CALLOUT = nodes.paragraph.create(null, schema.text('[!NOTE]'))
const DETAILS = [
  nodes.html_block.create({ html: '<details>\n<summary>Details</summary>' }),
  nodes.paragraph.create(),
  nodes.html_block.create({ html: '</details>' }),
]
const DIAGRAM = 'flowchart LR\n  A[Start] --> B[End]'

export const SLASH_ITEMS: SlashItem[] = [
  ...[1, 2, 3].map(
    (level): SlashItem => ({
      id: `h${level}`,
      title: `Heading ${level}`,
      keys: '#'.repeat(level),
      group: 'Blocks',
      words: 'title section',
      run: setBlockType(nodes.heading, { level }),
    }),
  ),
  {
    id: 'list',
    title: 'Bullet list',
    keys: '-',
    group: 'Blocks',
    words: 'unordered points',
    run: wrapInList(nodes.bullet_list),
  },
  {
    id: 'numbers',
    title: 'Numbered list',
    keys: '1.',
    group: 'Blocks',
    words: 'ordered steps',
    run: wrapInList(nodes.ordered_list),
  },
  { id: 'tasks', title: 'Task list', keys: '[ ]', group: 'Blocks', words: 'todo checkbox check', run: makeTaskList },
  {
    id: 'table',
    title: 'Table',
    hint: '3 × 3',
    group: 'Blocks',
    words: 'grid columns rows',
    run: insert(() => createTable(3, 3)),
  },
  {
    id: 'code',
    title: 'Code block',
    keys: '```',
    group: 'Blocks',
    words: 'source snippet',
    run: setBlockType(nodes.code_block),
  },
  {
    id: 'diagram',
    title: 'Diagram',
    hint: 'Mermaid',
    group: 'Blocks',
    words: 'chart flow sequence graph',
    run: insert(() => nodes.code_block.create({ info: 'mermaid' }, schema.text(DIAGRAM))),
  },
  { id: 'quote', title: 'Quote', keys: '>', group: 'Blocks', words: 'blockquote cite', run: wrapIn(nodes.blockquote) },
  {
    id: 'callout',
    title: 'Callout',
    keys: '> [!NOTE]',
    group: 'Blocks',
    words: 'note tip important warning caution alert info',
    run: insert(() => nodes.blockquote.create(null, [CALLOUT, nodes.paragraph.create()]), CALLOUT.nodeSize + 2),
  },
  {
    id: 'details',
    title: 'Details',
    hint: 'folded away',
    group: 'Blocks',
    words: 'toggle fold collapse expand summary',
    run: insert(() => DETAILS, 2),
  },
  {
    id: 'rule',
    title: 'Divider',
    keys: '---',
    group: 'Blocks',
    words: 'line horizontal rule',
    run: insert(() => nodes.horizontal_rule.create()),
  },
  {
    id: 'picture',
    title: 'Image',
    hint: 'stored in the Knowledge Base',
    group: 'Insert',
    words: 'picture photo upload file',
    run: 'picture',
  },
  {
    id: 'link',
    title: 'Link',
    hint: 'requirement, blueprint, WO',
    keys: '@',
    group: 'Insert',
    words: 'mention person reference work order theme file',
    run: 'link',
  },
]

export interface SlashState {
  from: number
  query: string
  items: SlashItem[]
  active: number
  /** Where the slash stands on the screen. */
  box: { left: number; top: number; bottom: number }
}

const key = new PluginKey<{ from: number } | undefined>('slash')

/** Opens a menu when someone types a slash at the start of a word. */
export function slashMenu(tools: SlashTools) {
  const shown = createStore<SlashState | undefined>(undefined)

  const queryOf = (state: EditorState): string | undefined => {
    const open = key.getState(state)
    const { $head, empty } = state.selection
    if (!open || !empty || $head.pos <= open.from || $head.start() > open.from) return undefined
    const text = state.doc.textBetween(open.from, $head.pos, '\n', '\ufffc')
    return /^\/[\p{L}\d ]{0,24}$/u.test(text) && !text.startsWith('/ ') ? text.slice(1) : undefined
  }

  function pick(view: EditorView, item: SlashItem): void {
    const open = key.getState(view.state)
    if (!open) return
    shown.set(undefined)
    view.dispatch(view.state.tr.delete(open.from, view.state.selection.head).setMeta(key, 'close'))
    if (typeof item.run === 'string') tools[item.run](view)
    else item.run(view.state, view.dispatch, view)
    view.focus()
  }

  const plugin = new Plugin<{ from: number } | undefined>({
    key,
    state: {
      init: () => undefined,
      apply(tr, open) {
        const meta = tr.getMeta(key) as { from: number } | 'close' | undefined
        if (meta) return meta === 'close' ? undefined : meta
        if (!open) return undefined
        const { deleted, pos } = tr.mapping.mapResult(open.from, 1)
        return deleted ? undefined : { from: pos }
      },
    },
    props: {
      handleTextInput(view, from, to, text) {
        const { $from } = view.state.selection
        if (text !== TYPED.insert || $from.parent.type.spec.code || !$from.parent.inlineContent) return false
        const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 1), $from.parentOffset, '\n', '\ufffc')
        if (before !== '' && !/\s/.test(before)) return false
        view.dispatch(view.state.tr.insertText(text, from, to).setMeta(key, { from }).scrollIntoView())
        return true
      },
      handleKeyDown(view, event) {
        const menu = shown.get()
        if (!menu) return false
        const meant = keyInList(event.key, menu.active, menu.items.length)
        if (meant === 'close') view.dispatch(view.state.tr.setMeta(key, 'close'))
        else if (meant === 'pick') pick(view, menu.items[menu.active]!)
        else if (meant !== undefined) shown.set({ ...menu, active: meant })
        return meant !== undefined
      },
      handleDOMEvents: {
        blur: () => {
          shown.set(undefined)
          return false
        },
      },
    },
    view: () => ({
      update(view) {
        const query = queryOf(view.state)
        const open = key.getState(view.state)
        const before = shown.get()
        if (query === undefined || !open) {
          if (before) shown.set(undefined)
          return
        }
        if (before?.query === query && before.from === open.from) return
        const wanted = query.toLowerCase()
        const items = SLASH_ITEMS.filter(({ title, words }) => `${title} ${words}`.toLowerCase().includes(wanted))
        if (items.length === 0) {
          shown.set(undefined)
          return
        }
        const { left, top, bottom } = view.coordsAtPos(open.from)
        shown.set({ from: open.from, query, items, active: 0, box: { left, top, bottom } })
      },
      destroy: () => shown.set(undefined),
    }),
  })
  return { plugin, shown, pick }
}
