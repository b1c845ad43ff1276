import { Type } from 'typebox'
import type { OfferedTool } from '../../../kernel/model/index.ts'
import type { Tool } from '../../../kernel/slice.ts'
import { modelSchema } from './model-schema.ts'

/** Tools are sent with every question. This is what those of Slipway itself may take, at four characters a token. */
const OFFERED_CHARACTERS = 10_200
export const FIND_TOOLS = 'find_tools'

/** Those that most tasks need come first. */
function rankOf({ name, domain, kind }: Tool): number {
  if (kind === 'delete' || domain === 'automations') return 5
  if (/_comments$|_versions$|_categories$|_labels_and_phases$/.test(name) || domain === 'artifacts') return 4
  if (kind === 'view') return 0
  if (/^update_work_order$|^(write|suggest)_/.test(name)) return 1
  return /^create_work_order$|^link_feedback_item$/.test(name) ? 2 : 3
}

/** Returns the names of the tools that are described at first. The others are found with `find_tools`. */
export function chooseTools(tools: Tool[], lengthOf: (tool: Tool) => number): Set<string> {
  const total = tools.reduce((sum, tool) => sum + lengthOf(tool), 0)
  if (total <= OFFERED_CHARACTERS) return new Set(tools.map(({ name }) => name))
  const chosen = new Set<string>()
  let left = OFFERED_CHARACTERS
  for (const tool of tools.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const length = lengthOf(tool)
    if (length > left) continue
    left -= length
    chosen.add(tool.name)
  }
  return chosen
}

const Input = Type.Object({ names: Type.Array(Type.String(), { description: 'Names from the list above.' }) })

export const findToolsOffer = (hidden: string[]): OfferedTool => ({
  name: FIND_TOOLS,
  description: `Describes more tools, which you can then call: ${hidden.join(', ')}.`,
  input: modelSchema(Input),
})
