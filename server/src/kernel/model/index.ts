/** Language models: who serves them, how they are asked, and what their failures mean. It knows nothing of what for. */
export type { Answer, OfferedTool, Question, ToolCall } from './ask.ts'
export { askPatiently } from './ask-patiently.ts'
export { ModelFailure, short } from './failure.ts'
export { type OpenModel, openModel } from './open.ts'
export type { ModelSettings, RunLimits } from './settings.ts'
