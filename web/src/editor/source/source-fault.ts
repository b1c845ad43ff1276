import { findFault } from '@slipway/server/markdown'

/** Why a text cannot be a requirement or a blueprint, with its line. */
export function sourceFault(text: string): string | undefined {
  const fault = findFault(text, { fromStored: true })
  return fault && `${fault.reason.replace(/\.$/, '')} (line ${fault.line})`
}
