/** What the head of a file says about the document that it holds. */
export interface Head {
  id?: string
  title: string
  version?: number
}

const OPENING = '---\nslipway:'
const CLOSING = '\n---\n'

/**
 * Puts a head of our own before the text, which stays as it is to the byte. A text that has front matter of its own keeps
 * it after ours.
 */
export function withHead({ id, title, version }: Head, text: string): string {
  return `${OPENING}\n  id: ${id}\n  title: ${JSON.stringify(title)}\n  version: ${version}${CLOSING}${text}`
}

export interface Split {
  head: Head | undefined
  text: string
  /** True if a head begins and does not end. */
  isBroken?: true
}

/** Without a head, the whole file is the text. */
export function splitHead(written: string): Split {
  const file = asWeWrite(written)
  if (!file.startsWith(OPENING)) return { head: undefined, text: file }
  const end = file.indexOf(CLOSING)
  if (end === -1) return { head: undefined, text: file, isBroken: true }
  const lines = file.slice(OPENING.length, end)
  const fieldOf = (name: string) => new RegExp(`^\\s+${name}:\\s*(.*)$`, 'm').exec(lines)?.[1]?.trim()
  const [id, title, version] = [fieldOf('id'), fieldOf('title'), Number(fieldOf('version'))]
  const head: Head = { title: title === undefined ? '' : unquoted(title) }
  if (id) head.id = id
  if (Number.isSafeInteger(version)) head.version = version
  return { head, text: file.slice(end + CLOSING.length) }
}

/** Some editors turn all line ends of a file into CR LF, or begin it with a byte order mark. */
function asWeWrite(file: string): string {
  const plain = file.replace(/^\uFEFF(?=---\r?\n)/, '')
  return plain.startsWith(OPENING.replace('\n', '\r\n')) ? plain.replaceAll('\r\n', '\n') : plain
}

function unquoted(title: string): string {
  try {
    return title.startsWith('"') ? String(JSON.parse(title)) : title
  } catch {
    return title
  }
}
