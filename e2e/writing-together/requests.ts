import { acceptedView, parseMarkdown, rejectedView } from '../../server/src/engines/markdown/index.ts'
import type { Member } from '../../server/test/harness.ts'
import type { Chance } from './chance.ts'
import { isAnchor, type Ledger, wordsIn } from './ledger.ts'

export interface Writer {
  chance: Chance
  ledger: Ledger
  member: Member
  /** The path of the document. */
  path: string
}

interface Seen {
  markdown: string
  headers: { 'if-match': string }
}

async function read({ member, path }: Writer): Promise<Seen> {
  const { body, headers } = await member.api.get(path)
  return { markdown: body.data.markdown_content, headers: { 'if-match': headers.etag! } }
}

const isFine = (status: number) => {
  if (status === 200) return true
  // Someone has written since it was read.
  if (status === 412 || status === 404 || status === 409) return false
  throw new Error(`A request was answered with ${status}.`)
}

/** The lines of text that can be edited without breaking a suggestion or a table. */
function plainBlocks({ markdown }: Seen) {
  return parseMarkdown(markdown).blocks.flatMap(({ from, to }) => {
    const text = markdown.slice(from, to)
    const words = wordsIn(text)
    return /^[A-Z]\d/.test(text) && !/[{}*\n|]/.test(text) && words.length > 0 ? [{ from, to, text, words }] : []
  })
}

/** Replaces, adds or removes a word or a paragraph. It deletes what its writer has seen, and nothing else. */
export async function patch(writer: Writer): Promise<string | undefined> {
  const { chance, ledger, member, path } = writer
  const seen = await read(writer)
  const block = chance.oneOf(plainBlocks(seen))
  if (!block) return undefined
  const [anchor] = block.words
  const word = chance.oneOf(block.words)!
  const kind = chance.oneOf(['replace', 'insert', 'add', 'add', 'remove'] as const)!
  const isConditional = !chance.isOneIn(6)
  if (block.words.some((one) => ledger.busy.has(one))) return undefined
  const put = (text: string) => seen.markdown.slice(0, block.from) + text + seen.markdown.slice(block.to)
  const changed = {
    replace: () => (isAnchor(word) ? undefined : put(block.text.replace(word, ledger.newWord(anchor!, 'PATCH')))),
    insert: () => put(block.text.replace(word, `${word} ${ledger.newWord(anchor!, 'PATCH')}`)),
    add: () => {
      const fresh = ledger.newAnchor(undefined, 'PATCH')
      return put(`${block.text}\n\n${fresh} ${ledger.newWord(fresh, 'PATCH')}`)
    },
    remove: () => put('').replace(/\n\n\n\n/, '\n\n'),
  }[kind]()
  if (changed === undefined) return undefined
  const made = wordsIn(changed).filter((one) => !wordsIn(seen.markdown).includes(one))
  const headers = isConditional ? seen.headers : {}
  const { status } = await member.api.patch(path, { markdown_content: changed }, headers)
  if (isFine(status)) ledger.replaced(seen.markdown, changed)
  else for (const one of made) ledger.delete(one)
  if (isFine(status) && kind === 'remove') {
    ledger.doubtParts(block.text)
    ledger.doubtTyped(anchor!)
  }
  // Without If-Match the last writer wins: what others stored since this one has read is overwritten.
  if (isFine(status) && !isConditional) ledger.doubtUnseen(seen.markdown)
  return `${kind} in ${anchor}${isConditional ? '' : ' without If-Match'}: ${isFine(status)}`
}

export async function suggest(writer: Writer): Promise<string | undefined> {
  const { chance, ledger, member, path } = writer
  const { markdown } = await read(writer)
  const block = chance.oneOf(plainBlocks({ markdown, headers: { 'if-match': '' } }))
  const old = block && chance.oneOf(block.words.filter((word) => !isAnchor(word)))
  if (!old) return undefined
  const fresh = ledger.newWord(block.words[0]!, 'suggestion')
  const { status } = await member.api.post(`${path}/apply_suggestion`, { old_text: old, new_text: fresh })
  if (!isFine(status)) ledger.delete(fresh)
  return `${old} by ${fresh}: ${isFine(status)}`
}

export async function restore(writer: Writer): Promise<string | undefined> {
  const { chance, ledger, member, path } = writer
  const seen = await read(writer)
  const { body } = await member.api.get(`${path}/versions`)
  const version = chance.oneOf((body.items as { version_id: string; version_number: number }[]).slice(1, 4))
  if (!version) return undefined
  const { status, body: now } = await member.api.post(
    `${path}/versions/${version.version_id}/restore`,
    undefined,
    seen.headers,
  )
  if (isFine(status)) {
    ledger.replaced(seen.markdown, now.data.markdown_content)
    ledger.doubtParts(seen.markdown)
  }
  return `${version.version_number}: ${isFine(status)}`
}

/** Settles one suggestion as it was shown. */
export async function settleOne(writer: Writer): Promise<string | undefined> {
  const { chance, ledger, member, path } = writer
  const { body } = await member.api.get(`${path}/suggestions`)
  const change = chance.oneOf(body.items as { id: string; kind: string; text: string }[])
  if (!change) return undefined
  const verdict = chance.oneOf(['accept', 'reject'] as const)!
  const { markdown } = await read(writer)
  const { status } = await member.api.post(`${path}/suggestions/${verdict}_all`, {
    change_ids: [change.id],
    texts: [change.text],
  })
  if (isFine(status)) {
    const removes = (change.kind === 'insertion') === (verdict === 'reject')
    for (const word of wordsIn(change.text)) {
      const known = ledger.words.get(word)
      // A line that was divided has its second half twice.
      if (known && markdown.split(word).length !== 2) known.fate = 'unsure'
      else if (removes) ledger.delete(word)
    }
    // A word of which some letters were rejected is there in part.
    if (removes) ledger.doubtParts(change.text)
  }
  return `${verdict} ${change.kind} ${JSON.stringify(change.text)}: ${isFine(status)}`
}

export async function settleAll(writer: Writer, verdict: 'accept' | 'reject'): Promise<string | undefined> {
  const { ledger, member, path } = writer
  const seen = await read(writer)
  const { status, body } = await member.api.post(`${path}/suggestions/${verdict}_all`, undefined, seen.headers)
  if (!isFine(status)) return undefined
  const views = { accept: acceptedView, reject: rejectedView }
  const [gone, kept] = [seen.markdown, views[verdict](seen.markdown)]
  ledger.replaced(gone, kept)
  if (verdict === 'reject') ledger.doubtParts(seen.markdown)
  return `${verdict}_all: ${body.data.markdown_content.length}`
}
