import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { json, type Person, signedIn } from '../../conversations/person.factory.ts'

let workspace: Workspace
let person: Person
beforeAll(async () => {
  workspace = await openWorkspace()
  person = await signedIn(workspace)
})
afterAll(() => workspace.close())

const upload = async (name: string, bytes: Buffer | string, path = '/artifacts', method = 'POST') => {
  const body = new FormData()
  body.set('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name)
  const headers = { cookie: person.cookie, 'x-project-id': person.projectId }
  return (await json(fetch(`${person.url}${path}`, { method, headers, body }))).data as { id: string }
}
const readTexts = () => workspace.deps.wiring.jobs.get('read_file_texts')!.run({}, workspace.deps)
const search = async (words: string) =>
  (await json(person.call('GET', `/artifacts/rows?q=${encodeURIComponent(words)}`))).items as {
    name: string
    snippet: string | null
  }[]

const streamOf = (bytes: Buffer, more = '') =>
  Buffer.concat([Buffer.from(`<</Length ${bytes.length}${more}>>stream\n`), bytes, Buffer.from('\nendstream')])
/** One page with a script that runs when it opens. */
const pdfOf = (content: Buffer) =>
  Buffer.concat([
    Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\('ran'\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
4 0 obj`),
    content,
    Buffer.from(' endobj\ntrailer<</Root 1 0 R>>'),
  ])
const pdfSaying = (words: string) => pdfOf(streamOf(Buffer.from(`BT /F 18 Tf 40 100 Td (${words}) Tj ET`)))

async function zipOf(parts: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

test('the words of PDF, office and text files are found, and shown in their surroundings', async () => {
  await upload('study.pdf', pdfSaying('Where thirty people stop'))
  await upload(
    'terms.docx',
    await zipOf({
      'word/document.xml':
        '<w:document><w:p><w:r><w:instrText>PAGEREF</w:instrText><w:t>Liab</w:t><w:t>ility &amp; fees</w:t></w:r></w:p><w:p><w:t>Next</w:t></w:p></w:document>',
    }),
  )
  await upload(
    'talk.pptx',
    await zipOf({ 'ppt/slides/slide1.xml': '<p:sld><a:p><a:t>Declined politely</a:t></a:p></p:sld>' }),
  )
  await upload(
    'rates.xlsx',
    await zipOf({ 'xl/sharedStrings.xml': '<sst><si><t>Interchange</t></si><si><t>Zloty</t></si></sst>' }),
  )
  await upload(
    'letter.odt',
    await zipOf({ 'content.xml': '<office:text><text:p>Dear harbor master</text:p></office:text>' }),
  )
  await upload('notes.txt', 'a line about anchors')
  expect(await search('thirty')).toEqual([])
  await readTexts()
  const found = { 'thirty people': 'study.pdf', 'liability fees next': 'terms.docx', politely: 'talk.pptx' }
  const more = { 'interchange zloty': 'rates.xlsx', 'harbor master': 'letter.odt', anchors: 'notes.txt' }
  for (const [words, name] of Object.entries({ ...found, ...more }))
    expect((await search(words)).map((one) => one.name)).toEqual([name])
  expect(await search('pageref')).toEqual([])
  expect(await search('liability')).toMatchObject([{ snippet: expect.stringContaining('Liability & fees Next') }])
  const everywhere = await json(person.call('GET', '/search?q=politely'))
  expect(everywhere.items).toMatchObject([{ kind: 'artifact', title: 'talk.pptx', snippet: 'Declined politely' }])
})

test('new content is read instead of the old, and what was deleted is not found until it is restored', async () => {
  const { id } = await upload('plan.pdf', pdfSaying('Earlier berths'))
  await readTexts()
  await upload('plan.pdf', pdfSaying('Later quays'), `/artifacts/${id}/content`, 'PUT')
  expect(await search('berths')).toEqual([])
  await readTexts()
  expect(await search('quays')).toMatchObject([{ name: 'plan.pdf' }])
  await person.call('POST', '/artifacts/batch_trash', { ids: [id] })
  const [kept] = await workspace.sql<{ rows: string }[]>`select rows from artifact_trash where id = ${id}`
  expect(kept!.rows).not.toContain('quays')
  await person.call('POST', '/artifacts/batch_restore', { ids: [id] })
  await readTexts()
  expect(await search('quays')).toMatchObject([{ name: 'plan.pdf' }])
})

test('files that lie, are damaged or unpack to far more are given up, and the others are read', async () => {
  const spaces = Buffer.alloc(100_000_000, ' ')
  await upload('circle.pdf', Buffer.from(pdfSaying('x').toString().replace('Kids[3 0 R]', 'Kids[2 0 R]')))
  await upload('bomb.pdf', pdfOf(streamOf(deflateSync(spaces.subarray(0, 20_000_000)), '/Filter/FlateDecode')))
  await upload('damaged.pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(1_000, 'x')]))
  await upload('not-a-zip.docx', 'plain words')
  await upload('bomb.docx', await zipOf({ 'word/document.xml': spaces }))
  await upload('unclosed.docx', await zipOf({ 'word/document.xml': '<'.repeat(1_000_000) }))
  await upload('zero.txt', 'a\0b')
  await upload('fine.pdf', pdfSaying('Still afloat'))
  await readTexts()
  expect(await search('afloat')).toMatchObject([{ name: 'fine.pdf' }])
  const unread = await workspace.sql`select from artifacts where type = 'file' and text_read_at is null`
  expect(unread).toHaveLength(0)
})
