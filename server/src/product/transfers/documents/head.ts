/** A head is at the beginning of a file and short. What is longer is text. */
const HEAD_CHARACTERS = 64 * 1024

/** Takes our own head off. That of others stays, because it may say more than a title. */
export function splitHead(content: string): { title: string | undefined; text: string } {
  const head = headOf(content.slice(0, HEAD_CHARACTERS))
  if (head === undefined) return { title: undefined, text: content }
  const line = head.lines.find((one) => one.trimStart().startsWith('title:'))
  const value = line?.trimStart().slice('title:'.length).trim()
  const title = value ? unquoted(value) : undefined
  return { title, text: head.lines[0]?.startsWith('slipway:') ? content.slice(head.length) : content }
}

/** What is between two lines of three dashes, and how long it is with them. */
function headOf(beginning: string): { lines: string[]; length: number } | undefined {
  const lines = beginning.split('\n')
  const isDashes = (line: string | undefined) => line === '---' || line === '---\r'
  const end = isDashes(lines[0]) ? lines.findIndex((line, at) => at > 0 && isDashes(line)) : -1
  if (end === -1) return undefined
  return { lines: lines.slice(1, end), length: lines.slice(0, end + 1).join('\n').length + 1 }
}

function unquoted(value: string): string {
  const quote = value[0]!
  const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote)
  return (isQuoted ? value.slice(1, -1) : value).replaceAll('\\"', '"')
}

/** The first heading of the first level. */
export function headingOf(text: string): string | undefined {
  for (let at = 0; at < text.length; ) {
    const lf = text.indexOf('\n', at)
    const end = lf === -1 ? text.length : lf
    if (text[at] === '#' && (text[at + 1] === ' ' || text[at + 1] === '\t')) {
      const heading = withoutClosing(text.slice(at + 1, end).trim())
      if (heading !== '') return heading
    }
    at = end + 1
  }
  return undefined
}

/** Without the signs that may stand at the end of a heading, after a space. */
function withoutClosing(heading: string): string {
  let end = heading.length
  while (heading[end - 1] === '#') end--
  return end === 0 || heading[end - 1] === ' ' || heading[end - 1] === '\t' ? heading.slice(0, end).trimEnd() : heading
}
