import { Type } from 'typebox'
import { FilledText, Title } from '../../../kernel/http/schema.ts'
import { bodyChecker, fieldErrors } from '../../../kernel/http/validation.ts'
import { outputText } from '../text.ts'
import { modelSchema } from '../tools/model-schema.ts'
import type { ToolEntry } from '../tools/toolbox.ts'
import { isHandedOver } from '../turn-end.ts'
import type { TurnOutcome } from './turn.ts'

const Input = Type.Object({
  title: Title({ description: 'A few words.' }),
  task: FilledText(100_000, { description: 'Everything that the other agent needs to know: it sees nothing else.' }),
})
const check = bodyChecker(Input)

interface Task {
  title: string
  task: string
}

type Run = (task: Task, signal: AbortSignal) => Promise<{ outcome: TurnOutcome; reply: string }>

/** Lets an agent give a part of its work to a subagent with the same rights and tools. */
export const delegateTool = (run: Run): ToolEntry => ({
  offered: {
    name: 'delegate',
    description:
      'Gives a self-contained part of the work to another agent with the same tools, and returns what it says. For long searches whose details you do not need.',
    input: modelSchema(Input),
  },
  async run(input, signal) {
    const errors = check(input)
    if (errors)
      return {
        status: 'failed',
        text: fieldErrors(errors)
          .map((one) => one.detail)
          .join(' '),
        isMisuse: true,
      }
    const { outcome, reply } = await run(input as Task, signal)
    // Otherwise an agent whose turn goes on elsewhere would be given the half answer of its subagent.
    if (isHandedOver(signal)) throw signal.reason
    return { status: outcome.status === 'succeeded' ? 'succeeded' : 'failed', text: outputText(reply) }
  },
})
