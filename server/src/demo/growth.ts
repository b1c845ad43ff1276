/** How a text grew: in two steps if it can, or in as many as wanted. Each adds something; the last is the whole text. */
export function growthOf(text: string, wanted: number | undefined): string[] {
  if (text.trim() === '') return []
  const units = unitsOf(text)
  const steps = wanted ?? Math.min(2, units.length)
  if (steps > units.length) throw new Error(`A text of ${units.length} parts cannot grow in ${steps} steps: ${text}`)
  return Array.from({ length: steps }, (_, index) => {
    const count = Math.ceil((units.length * (index + 1)) / steps)
    return count === units.length ? text : `${units.slice(0, count).join('\n').trimEnd()}\n`
  })
}

/** Paragraphs, tables and code blocks stay whole; lists grow item by item. */
function unitsOf(text: string): string[] {
  const units: string[] = []
  let isCode = false
  let isNew = true
  for (const line of text.trimEnd().split('\n')) {
    const isItem = !isCode && /^(- |\d+\. )/.test(line)
    if (isNew || isItem) units.push(line)
    else units[units.length - 1] += `\n${line}`
    if (line.startsWith('```')) isCode = !isCode
    isNew = line === '' && !isCode
  }
  return units
}
