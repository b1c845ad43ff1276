import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import type { MarkType } from 'prosemirror-model'
import type { Plugin } from 'prosemirror-state'
import { schema } from './schema.ts'

const { nodes, marks } = schema

/** Turns `**text**` into bold text when the last delimiter is typed. */
function markRule(pattern: RegExp, type: MarkType, attrs?: object): InputRule {
  return new InputRule(
    pattern,
    (state, match, start, end) => {
      const [whole, text] = match
      if (!text || state.doc.rangeHasMark(start, end, marks.code)) return null
      const from = start + whole.search(/\S/)
      const { tr } = state
      tr.delete(from, end).insertText(text, from)
      tr.addMark(from, from + text.length, type.create(attrs))
      return tr.removeStoredMark(type)
    },
    { inCodeMark: false },
  )
}

/** `[ ] ` at the start of an item or of a paragraph. */
const task = new InputRule(/^\[([ xX]?)\]\s$/, (state, [, mark], start, end) => {
  const $start = state.doc.resolve(start)
  const checked = /x/i.test(mark ?? '')
  const { tr } = state
  if ($start.parent.type !== nodes.paragraph) return null
  tr.delete(start, end)
  if ($start.depth > 1 && $start.node(-1).type === nodes.list_item && $start.index(-1) === 0)
    return tr.setNodeAttribute($start.before(-1), 'checked', checked)
  const range = tr.doc.resolve(start).blockRange()
  return range ? tr.wrap(range, [{ type: nodes.bullet_list }, { type: nodes.list_item, attrs: { checked } }]) : null
})

const rule = new InputRule(/^(?:---|\*\*\*|___)\s?$/, (state, _match, start) => {
  const $start = state.doc.resolve(start)
  if ($start.parent.type !== nodes.paragraph || $start.depth !== 1) return null
  const at = $start.before()
  return state.tr.delete(at + 1, $start.end()).insert(at, nodes.horizontal_rule.create())
})

/** What people who know markdown type without looking. */
export const markdownShortcuts = (): Plugin =>
  inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, ([, marks]) => ({ level: marks!.length })),
      textblockTypeInputRule(/^```([\w+#-]*)\s$/, nodes.code_block, ([, info]) => ({ info: info ?? '' })),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
      wrappingInputRule(/^\s*([-+*])\s$/, nodes.bullet_list, ([, marker]) => ({ marker })),
      wrappingInputRule(
        /^(\d{1,9})([.)])\s$/,
        nodes.ordered_list,
        ([, start, delimiter]) => ({ start: Number(start), delimiter }),
        ([, start], list) => list.childCount + list.attrs.start === Number(start),
      ),
      task,
      rule,
      markRule(/(?:^|(?<=[\s(]))\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, marks.strong),
      markRule(/(?:^|(?<=[\s(]))__([^_\s](?:[^_]*[^_\s])?)__$/, marks.strong, { delimiter: '_' }),
      markRule(/(?:^|(?<=[\s(]))\*([^*\s](?:[^*]*[^*\s])?)\*$/, marks.em),
      markRule(/(?:^|(?<=[\s(]))_([^_\s](?:[^_]*[^_\s])?)_$/, marks.em, { delimiter: '_' }),
      markRule(/(?:^|(?<=[\s(]))~~([^~\s](?:[^~]*[^~\s])?)~~$/, marks.strike),
      markRule(/`([^`]+)`$/, marks.code),
    ],
  })
