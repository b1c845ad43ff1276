/** Puts a text on the clipboard. Throws if the browser does not allow it. */
export async function writeClipboard(text: string): Promise<void> {
  // Browsers offer it only on HTTPS and localhost, and Slipway may run on neither.
  if (navigator.clipboard) await navigator.clipboard.writeText(text)
  else if (!copySelected(text)) throw new DOMException('Select the text and copy it by hand.', 'NotAllowedError')
}

/** The old way: selects the text and asks for a copy. Unlike with a text field, the focus stays where it is. */
function copySelected(text: string): boolean {
  const source = document.createElement('span')
  source.textContent = text
  source.style.cssText = 'position: fixed; top: 0; white-space: pre; opacity: 0; user-select: text'
  document.body.append(source)
  const selection = getSelection()!
  const before = selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined
  selection.selectAllChildren(source)
  // The plain text, and nothing of an editor that has the focus.
  const put = (event: ClipboardEvent) => {
    event.stopImmediatePropagation()
    event.preventDefault()
    event.clipboardData?.setData('text/plain', text)
  }
  document.addEventListener('copy', put, { capture: true, once: true })
  try {
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', put, { capture: true })
    source.remove()
    selection.removeAllRanges()
    if (before) selection.addRange(before)
  }
}
