import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { DEFAULT_SETTINGS, sliceSettingsFrom } from '../../src/kernel/settings.ts'
import { formOf, multipart, runTransfers } from '../../src/product/transfers/transfer.factory.ts'
import { openWorkspace, type Workspace } from '../harness.ts'
import { expectNoBlocking } from '../loop-delay.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
  // A warm-up: the first calls compile what the routes need.
  const { admin } = await ws.project()
  await admin.api.post('/imports/documents/preview', formOf('a.zip', await zipOf([['a.md', '# A\n']])), multipart)
})
afterAll(() => ws.close())

function zipOf(files: [string, string][]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of files) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream as Readable)
}

const MANY = 200_000
const deep = (index: number): [string, string] => [`${index}/${'a/'.repeat(4_000)}${index}.md`, 'x']
const labelRow = Array.from({ length: 1_999 }, (_, index) => `l${index}`).join(',')

const ATTACKS: [string, 'documents' | 'work_orders', () => Promise<Buffer> | Buffer, object][] = [
  [
    'a head of 200,000 empty lines',
    'documents',
    () => zipOf([['a.md', `---\n${'\n'.repeat(MANY)}\n---\nx`]]),
    { to_create: 1, to_refuse: 0 },
  ],
  ['an open head', 'documents', () => zipOf([['a.md', `---\n${'\n'.repeat(MANY)}`]]), { to_create: 1, to_refuse: 0 }],
  [
    'a heading of 200,000 signs',
    'documents',
    () => zipOf([['a.md', `# a${'#'.repeat(MANY)}x`]]),
    { to_create: 1, to_refuse: 0 },
  ],
  [
    '2 MB of deep folders',
    'documents',
    () => zipOf(Array.from({ length: 250 }, (_, index) => deep(index))),
    { to_create: 0, to_refuse: 250 },
  ],
  [
    '2,000 columns of labels',
    'work_orders',
    () => Buffer.from([`Title${',Labels'.repeat(1_999)}`, ...Array(300).fill(`T,${labelRow}`)].join('\n')),
    { to_create: 300, to_refuse: 0 },
  ],
  [
    'cells of 8 MB',
    'work_orders',
    () => Buffer.from(['Title,Labels', ...['a,', ' \n', '- '].map((one) => `T,"${one.repeat(4_000_000)}"`)].join('\n')),
    { to_create: 3, to_refuse: 0 },
  ],
]

describe('an upload that was made to stop the server', () => {
  test.each(ATTACKS)('keeps nobody else from being answered: %s', async (_what, kind, make, totals) => {
    const { admin } = await ws.project()
    const form = formOf('upload', await make())
    await expectNoBlocking(async () => {
      const { status, body } = await admin.api.post(`/imports/${kind}/preview`, form, multipart)
      expect({ status, ...body, ...body.data }).toMatchObject({ status: 200, ...totals })
    })
  })
})

describe('a file whose reading needs more than the server gives', () => {
  const settings = { ...DEFAULT_SETTINGS, of: sliceSettingsFrom({ IMPORT_MEMORY_MB: '32' }) }
  const rows = Array.from({ length: 50_000 }, (_, index) => `${String(index).padStart(1_000, 'k')},Title`)

  test('is named by the preview, and ends an import that nobody tries again', async () => {
    const small = await openWorkspace({ settings })
    try {
      const project = await small.project()
      const { api } = project.admin
      const form = formOf('issues.csv', `Key,Title\n${rows.join('\n')}`)
      const reason = /^Reading line \d+ takes more than 32 MB of memory and was stopped\./
      const shown = await api.post('/imports/work_orders/preview', form, multipart)
      expect(shown.body).toMatchObject({ code: 'unusable_file', detail: expect.stringMatching(reason) })
      expect(shown.status).toBe(422)
      const { id } = (await api.post('/imports/work_orders', form, multipart)).body.data
      await runTransfers(small, project.id)
      const { data } = (await api.get(`/imports/${id}`)).body
      expect(data).toMatchObject({ state: 'failed', error: expect.stringMatching(reason) })
    } finally {
      await small.close()
    }
  })
})
