import { decodeXML } from 'entities'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'

/** The parts that hold words, in Office Open XML and in OpenDocument. */
const PARTS =
  /^(word\/(document|footnotes|endnotes)\.xml|ppt\/(slides\/slide|notesSlides\/notesSlide)\d+\.xml|xl\/(sharedStrings|worksheets\/sheet\d+)\.xml|content\.xml)$/
const MAX_ENTRIES = 10_000
const MAX_PART_BYTES = 20 * 1024 * 1024

/** Codes of fields, numbers of cells and deleted words are not what people read. */
const UNREAD = /<(w:instrText|w:delText|v|f)(?: [^<>]*)?>[^<>]*<\/\1>/g
/** After these, another word begins. */
const BREAKS = /<\/(?:w:p|a:p|text:p|text:h|si|c)>|<(?:w:tab|w:br|text:tab|text:line-break|text:s)[^<>]*>/g

/** The words of an office file, a part at a time. */
export async function* textOfOffice(bytes: Buffer): AsyncGenerator<string> {
  const zip = await fromBufferPromise(bytes)
  for (const entry of await partsOf(zip)) yield textOfXml(await read(zip, entry))
}

async function partsOf(zip: ZipFile): Promise<Entry[]> {
  const parts: Entry[] = []
  let count = 0
  for await (const entry of zip.eachEntry()) {
    if (++count > MAX_ENTRIES) break
    if (PARTS.test(entry.fileName) && !entry.isEncrypted() && entry.canDecodeFileData()) parts.push(entry)
  }
  return parts.sort((a, b) => a.fileName.localeCompare(b.fileName, 'en', { numeric: true }))
}

/** The beginning of a part. An archive may unpack to far more than it says. */
async function read(zip: ZipFile, entry: Entry): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size > MAX_PART_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

export const textOfXml = (xml: string) =>
  decodeXML(
    xml
      .replaceAll(UNREAD, '')
      .replaceAll(BREAKS, '\n')
      .replaceAll(/<[^<>]*>/g, ''),
  )
