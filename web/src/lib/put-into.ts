/** Puts words into a field, with the cursor after them. Returns the whole text. */
export function putInto(field: HTMLTextAreaElement, from: number, to: number, words: string): string {
  field.setRangeText(words, from, to, 'end')
  field.focus()
  return field.value
}
