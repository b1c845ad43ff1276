import { readFileSync } from 'node:fs'
import type { ToolKit } from '../conversations/index.ts'

export const FEEDBACK_TRIAGE = 'feedback_triage'

interface BuiltIn {
  builtIn: string
  name: string
  triggerType: 'feedback_submitted'
  userPrompt: string
  toolKit: ToolKit
}

/**
 * Slipway's own automations. Their prompts and permissions live in the code, so that an upgrade improves them
 * everywhere.
 */
export const BUILT_INS: readonly BuiltIn[] = [
  {
    builtIn: FEEDBACK_TRIAGE,
    name: 'Feedback triage',
    triggerType: 'feedback_submitted',
    userPrompt: readFileSync(new URL('./prompts/feedback-triage.md', import.meta.url), 'utf8').trim(),
    // It reads text from strangers. Whatever that makes it try, it can neither read other resources nor delete.
    toolKit: {
      requirements: ['cannot_view'],
      blueprints: ['cannot_view'],
      work_orders: ['cannot_view'],
      feedback: ['cannot_delete'],
      artifacts: ['cannot_view'],
      automations: ['cannot_view'],
    },
  },
]

/** Returns undefined for automations that people created. */
export const findBuiltIn = (builtIn: string | null) => BUILT_INS.find((one) => one.builtIn === builtIn)
