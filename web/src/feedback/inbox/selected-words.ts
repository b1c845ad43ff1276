/** Marks the element whose words can be quoted. */
export const WORDS = 'data-customer-words'

/** What is selected of the open report. Undefined if nothing is, or something else. */
export function selectedWords(): string | undefined {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const { commonAncestorContainer: node } = selection.getRangeAt(0)
  const element = node instanceof Element ? node : node.parentElement
  if (!element?.closest(`[${WORDS}]`)) return undefined
  return selection.toString().trim() || undefined
}

export const clearWords = () => getSelection()?.removeAllRanges()
