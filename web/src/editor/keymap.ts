import {
  baseKeymap,
  chainCommands,
  createParagraphNear,
  exitCode,
  liftEmptyBlock,
  newlineInCode,
  setBlockType,
  splitBlock,
  toggleMark,
} from 'prosemirror-commands'
import { undoInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import type { Command, Plugin } from 'prosemirror-state'
import { bindKeys } from './bind-keys.ts'
import { openFence } from './code-fence.ts'
import { schema } from './schema.ts'
import { breakInCell, downFromCell, stepCell } from './tables/commands.ts'

const { nodes, marks } = schema

/** A new item after a task is a task that is not done. */
const splitItem: Command = (state, dispatch, view) => {
  const { $from } = state.selection
  const item = $from.node(-1)
  const isTask = item?.type === nodes.list_item && item.attrs.checked !== null
  return splitListItem(nodes.list_item, isTask ? { checked: false } : undefined)(state, dispatch, view)
}

/** Backspace at the start of a task makes it an ordinary item, and of a heading an ordinary paragraph. */
const plainFirst: Command = (state, dispatch) => {
  const { $from, empty } = state.selection
  if (!empty || $from.parentOffset > 0) return false
  if ($from.parent.type === nodes.heading) {
    dispatch?.(state.tr.setBlockType($from.pos, $from.pos, nodes.paragraph))
    return true
  }
  const item = $from.depth > 1 ? $from.node(-1) : undefined
  if (item?.type !== nodes.list_item || item.attrs.checked === null || $from.index(-1) > 0) return false
  dispatch?.(state.tr.setNodeAttribute($from.before(-1), 'checked', null))
  return true
}

const hardBreak: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent || state.selection.$from.parent.type.spec.code) return false
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView())
  return true
}

/** Spaces in code, so that Tab never leaves a line that one indents. */
const indentCode: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.type.spec.code) return false
  dispatch?.(state.tr.insertText('  ').scrollIntoView())
  return true
}

const toggleTask: Command = (state, dispatch) => {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth--) {
    const item = $from.node(depth)
    if (item.type !== nodes.list_item || item.attrs.checked === null) continue
    dispatch?.(state.tr.setNodeAttribute($from.before(depth), 'checked', !item.attrs.checked))
    return true
  }
  return false
}

export const makeTaskList: Command = (state, dispatch, view) => {
  const wrap = wrapInList(nodes.bullet_list)
  if (!dispatch) return wrap(state, undefined, view)
  return wrap(state, (tr) => {
    const { $from } = tr.selection
    for (let depth = $from.depth; depth > 0; depth--)
      if ($from.node(depth).type === nodes.list_item) {
        dispatch(tr.setNodeAttribute($from.before(depth), 'checked', false))
        return
      }
    dispatch(tr)
  })
}

interface Outside {
  openLink: Command
  undo: Command
  redo: Command
}

export function editorKeymap({ openLink, undo, redo }: Outside): Plugin[] {
  const heading = (level: number) => setBlockType(nodes.heading, { level })
  return [
    bindKeys('text', {
      'Mod-z': undo,
      'Mod-y': redo,
      'Mod-Shift-z': redo,
      'Mod-b': toggleMark(marks.strong),
      'Mod-i': toggleMark(marks.em),
      'Mod-e': toggleMark(marks.code),
      'Mod-Shift-x': toggleMark(marks.strike),
      'Mod-k': openLink,
      'Mod-Alt-0': setBlockType(nodes.paragraph),
      'Mod-Alt-1': heading(1),
      'Mod-Alt-2': heading(2),
      'Mod-Alt-3': heading(3),
      'Mod-Enter': chainCommands(exitCode, toggleTask),
      'Shift-Enter': chainCommands(newlineInCode, breakInCell, hardBreak),
      Enter: chainCommands(
        downFromCell,
        newlineInCode,
        openFence,
        splitItem,
        createParagraphNear,
        liftEmptyBlock,
        splitBlock,
      ),
      Backspace: chainCommands(undoInputRule, plainFirst),
      Tab: chainCommands(stepCell(1), indentCode, sinkListItem(nodes.list_item)),
      'Shift-Tab': chainCommands(stepCell(-1), liftListItem(nodes.list_item)),
    }),
    keymap(baseKeymap),
  ]
}
