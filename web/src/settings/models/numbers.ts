/** What a person typed into a field for an amount: null for nothing, undefined if it is not an amount. */
export function numberIn(text: string): number | null | undefined {
  const plain = text.trim().replace(/^\$/, '').replaceAll(',', '')
  if (plain === '') return null
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined
}
