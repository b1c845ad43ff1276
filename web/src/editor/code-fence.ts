import type { Command } from 'prosemirror-state'
import { schema } from './schema.ts'

const { code_block, paragraph } = schema.nodes
const FENCE = /^(?:`{3,}|~{3,})/

/** Enter after "```js" opens a code block, as markdown means it. */
export const openFence: Command = (state, dispatch) => {
  const { $head, empty } = state.selection
  const { parent } = $head
  const [fence] = FENCE.exec(parent.textContent) ?? []
  if (!empty || parent.type !== paragraph || !fence || $head.pos !== $head.end()) return false
  const info = parent.textContent.slice(fence.length)
  if (info.includes('`')) return false
  // A break or a picture in the line has no letters.
  if (parent.content.size !== parent.textContent.length) return false
  const before = $head.before()
  if (!$head.node(-1).canReplaceWith($head.index(-1), $head.index(-1) + 1, code_block)) return false
  const attrs = { info: info.trim(), fence: fence[0], length: fence.length }
  dispatch?.(
    state.tr
      .delete($head.start(), $head.pos)
      .setBlockType(before + 1, before + 1, code_block, attrs)
      .scrollIntoView(),
  )
  return true
}
