import type { Ctx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { readWorkContext } from '../../product/work-orders/index.ts'

const NUMBER = { name: 'number', description: 'The number of the work order, such as 12.', required: true }

export const PROMPTS = [
  { name: 'do_work_order', description: 'Do a work order from claim to hand-in.', arguments: [NUMBER] },
  { name: 'plan_work_order', description: 'Write the implementation plan of a work order.', arguments: [NUMBER] },
]

const INSTRUCTIONS: Record<string, string> = {
  do_work_order: `Do the work order below. First claim it with claim_work_order and keep the fencing_token; if somebody else has it, stop. Renew the claim before it expires. Follow the requirement and the blueprint; if they are wrong or incomplete, use suggest_change instead of deviating silently. When you are done, say with comment_work_order what you did and how you checked it, then call release_work_order with status "in_review".`,
  plan_work_order: `Write the implementation plan of the work order below: the files to create, modify or delete with a line each, and what to watch out for. Read the code first. Save the plan with update_work_order (implementation_plan). Change nothing else.`,
}

export async function getPrompt(ctx: Ctx, name: string, given: Record<string, string> = {}) {
  const instruction = INSTRUCTIONS[name]
  if (!instruction) throw invalid([{ pointer: '/name', detail: `There is no prompt "${name}".` }])
  const number = Number(given.number?.replace(/^WO-/i, ''))
  if (!Number.isSafeInteger(number) || number < 1)
    throw invalid([{ pointer: '/arguments/number', detail: 'Give the number of a work order, such as 12.' }])
  const text = `${instruction}\n\n${await readWorkContext(ctx, number)}`
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}
