import type { Automation } from '../api.ts'
import type { Values } from './draft.ts'

/** What each step of the editor shows and changes. */
export interface StepProps {
  projectId: string
  automation: Automation | undefined
  values: Values
  fault: { pointer: string; detail: string } | undefined
  isFixed: boolean
  onChange(change: Partial<Values>): void
}
