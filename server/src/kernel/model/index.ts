/**
 * Access to language models: who serves them, how to call them and what their failures mean. Knows nothing about what
 * they are used for.
 */
export type { Answer, OfferedTool, Question, ToolCall, Usage } from './ask.ts'
export { ask, estimateInput } from './ask.ts'
export { askWithRetries } from './ask-with-retries.ts'
export { ModelFailure, short } from './failure.ts'
export { nameOfDefault, type OpenModel, openModel } from './open.ts'
export { costOf, type Prices } from './prices.ts'
export type { ModelSettings, RunLimits } from './settings.ts'
