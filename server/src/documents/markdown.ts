import { invalidMarkdown } from './document.ts'
import { findFault } from './rich-text/index.ts'

/** Refuses what the rich-text form cannot carry without loss, with the line and the reason. */
export async function checkMarkdown(source: string): Promise<void> {
  const fault = findFault(source)
  if (fault) throw invalidMarkdown(fault.line, fault.reason)
}
