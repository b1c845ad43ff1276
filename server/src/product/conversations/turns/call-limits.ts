import type { Answer, ToolCall } from '../../../kernel/model/index.ts'
import { failed } from '../turn-end.ts'

const CALLS_IN_AN_ANSWER = 20
const SAME_CALLS_IN_A_ROW = 3

/** Leaves out the calls beyond the limit. The model is told, and can ask again. */
export const atMostSomeCalls = (answer: Answer) => ({
  ...answer,
  calls: answer.calls.slice(0, CALLS_IN_AN_ANSWER),
  leftOut: Math.max(0, answer.calls.length - CALLS_IN_AN_ANSWER),
})

export const leftOutWords = (count: number) =>
  count === 0
    ? ''
    : `\n[${count} more calls of this answer were not made: at most ${CALLS_IN_AN_ANSWER} are made for an answer.]`

/** Ends a turn whose model makes the same call over and over. */
export function watchRepeats(model: string) {
  let last = ''
  let times = 0
  return {
    refuse({ name, input }: ToolCall): void {
      const call = `${name} ${JSON.stringify(input)}`
      times = call === last ? times + 1 : 1
      last = call
      if (times > SAME_CALLS_IN_A_ROW)
        throw failed(`The model "${model}" made the same call of "${name}" ${times} times in a row.`)
    },
  }
}
