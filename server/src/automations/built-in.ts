import { readFileSync } from 'node:fs'

/** Slipway's own automations. Their prompts are read from beside the code, so that an upgrade improves them everywhere. */
export const FEEDBACK_TRIAGE = 'feedback_triage'

export const BUILT_INS = [
  { builtIn: FEEDBACK_TRIAGE, name: 'Feedback triage', triggerType: 'feedback_submitted' },
] as const

const prompts: Record<string, string> = {
  [FEEDBACK_TRIAGE]: readFileSync(new URL('./prompts/feedback-triage.md', import.meta.url), 'utf8').trim(),
}

export const promptOf = (builtIn: string): string => prompts[builtIn] ?? ''
