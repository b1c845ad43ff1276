import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { AppError } from '../../../kernel/errors.ts'
import { formOf, multipart, runTransfers } from '../transfer.factory.ts'
import { readCsv } from './csv.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const send = (api: Client, path: string, csv: string | Buffer) => api.post(path, formOf('issues.csv', csv), multipart)
const preview = async (api: Client, csv: string) => (await send(api, '/imports/work_orders/preview', csv)).body.data

async function importCsv(projectId: string, api: Client, csv: string) {
  const { body } = await send(api, '/imports/work_orders', csv)
  await runTransfers(ws, projectId)
  return (await api.get(`/imports/${body.data.id}`)).body.data
}

const JIRA = `\ufeffSummary;Issue key;Issue id;Issue Type;Status;Priority;Assignee;Description;Labels;Labels;Sprint;Sprint;Parent;Resolution
Round the total;SHOP-2;10002;Bug;In Progress;Highest;PERSON;"First line
says ""why""";checkout;rounding;Sprint 3;Sprint 4;10001;
Totals;SHOP-1;10001;Epic;Won't Do;Lowest;Jo;;;;;;;
;SHOP-3;10003;Task;To Do;Medium;;;;;;;;
Odd one;SHOP-4;10004;Wish;Somewhere;Soonish;;;;;;;;
`

describe('an export of Jira', () => {
  it('is shown before anything happens, with what is not as it was there', async () => {
    const { admin } = await ws.project()
    const shown = await preview(admin.api, JIRA.replace('PERSON', admin.name))
    expect(shown).toMatchObject({
      source: 'jira',
      to_create: 3,
      to_skip: 0,
      to_refuse: 1,
      new_labels: ['checkout', 'rounding'],
      new_phases: ['Sprint 4'],
    })
    expect(shown.columns).toContainEqual({ column: 'Summary', field: 'title' })
    expect(shown.columns).toContainEqual({ column: 'Resolution', field: null })
    expect(shown.rows[0]).toEqual({
      line: 2,
      action: 'create',
      key: 'SHOP-2',
      title: 'Round the total',
      status: 'in_progress',
      priority: 'urgent',
      type: 'fix',
      assignee: admin.name,
      labels: ['checkout', 'rounding'],
      phase: 'Sprint 4',
    })
    const problems = shown.problems.map((one: { where: string; detail: string }) => `${one.where}: ${one.detail}`)
    expect(problems).toEqual([
      expect.stringMatching(/^line 4: "Jo" is no member/),
      'line 5: It is left out: It has no title.',
      expect.stringMatching(/^line 6: The status "Somewhere" is not known, so it becomes "backlog"/),
      expect.stringMatching(/^line 6: The priority "Soonish"/),
      expect.stringMatching(/^line 6: The type "Wish"/),
    ])
    expect((await admin.api.get('/work_orders')).body.total).toBe(0)
  })

  it('becomes work orders, once', async () => {
    const project = await ws.project()
    const { api, name } = project.admin
    const csv = JIRA.replace('PERSON', name)
    expect(await importCsv(project.id, api, csv)).toMatchObject({
      state: 'done',
      counts: { created: 3, skipped: 0, refused: 1, links: 1 },
    })
    const { items } = (await api.get('/work_orders')).body
    const { data } = (await api.get(`/work_orders/${items[0].id}`)).body
    expect(data).toMatchObject({
      title: 'Round the total',
      markdown_content: 'First line\nsays "why"\n\nImported from Jira: SHOP-2\n',
      assignee: { name },
      phase: { title: 'Sprint 4' },
      connectedContext: [{ resourceType: 'work_order', resourceId: items[1].id }],
    })
    expect(items[1]).toMatchObject({ status: 'completed', priority: 'low' })
    const again = `${csv}New one;SHOP-9;10009;Task;Done;High;;;;;;;;\n`
    expect((await preview(api, again)).to_skip).toBe(3)
    expect(await importCsv(project.id, api, again)).toMatchObject({ counts: { created: 1, skipped: 3, refused: 1 } })
    expect((await api.get('/work_orders')).body.total).toBe(4)
  })
})

it('an export of Linear keeps status, priority, labels and cycles, and marks what was canceled', async () => {
  const project = await ws.project()
  const { api, email } = project.admin
  const csv = `"ID","Team","Title","Description","Status","Estimate","Priority","Project","Creator","Assignee","Labels","Cycle Number","Cycle Name","Parent issue"
"ENG-1","Engineering","Ship it","","Todo","2","Urgent","Web","a@b.c","${email}","Bug, UI","3","Cycle 3",""
"ENG-2","Engineering","Drop it","","Canceled","","No priority","","","","","","","ENG-1"
`
  const shown = await preview(api, csv)
  expect(shown).toMatchObject({ source: 'linear', to_create: 2, problems: [], new_phases: ['Cycle 3'] })
  expect(shown.rows[0]).toMatchObject({
    status: 'ready',
    priority: 'urgent',
    assignee: project.admin.name,
    labels: ['Bug', 'UI'],
  })
  expect(shown.rows[1]).toMatchObject({ status: 'completed', labels: ['canceled'] })
  expect(await importCsv(project.id, api, csv)).toMatchObject({ state: 'done', counts: { created: 2, links: 1 } })
})

it('our own list, and rows without a name of their own, are told apart', async () => {
  const project = await ws.project()
  const { api } = project.admin
  const own =
    'Number,Title,Status,Priority,Type,Phase,Assignee,Labels,Comments,Updated\r\nWO-7,\'=Sum,In review,High,Fix,2 · Checkout,,"a, b",0,\r\n'
  expect((await preview(api, own)).rows[0]).toMatchObject({
    title: '=Sum',
    status: 'in_review',
    phase: 'Checkout',
    labels: ['a', 'b'],
  })
  const plain = 'Title\nSame\nSame\nOther\n'
  expect(await importCsv(project.id, api, plain)).toMatchObject({ counts: { created: 3 } })
  const again = await importCsv(project.id, api, plain)
  expect(again).toMatchObject({ counts: { created: 0, skipped: 3 } })
  expect(again.problems).toHaveLength(3)
  expect(again.problems[0].detail).toMatch(/^It is skipped: ".+" was imported before\.$/)
})

it.each([
  ['', /empty/],
  ['a,b\n1,2\n', /names no column for the title/],
  ['Title\n"never closed\n', /Quote Not Closed.*line 2/],
  [`Title\n${'x\n'.repeat(50_001)}`, /more than 50000 rows/],
  [Buffer.from('Title\nx\n', 'utf16le').toString('latin1'), /UTF-8/],
])('a file that cannot be read is refused with the reason (%#)', async (csv, reason) => {
  const { admin } = await ws.project()
  const { status, body } = await send(admin.api, '/imports/work_orders/preview', csv)
  expect(status).toBe(422)
  expect(body.detail).toMatch(reason)
})

it('control characters are left out, which is named and counted', async () => {
  const { id, admin } = await ws.project()
  const csv = 'Title,Description,Priority\nRound\u0007 it,"Text\u001b",high\nPlain,"Two\r\nlines",low\n'
  const problems = [
    { where: 'line 2', detail: 'Control characters in the title are left out.' },
    { where: 'line 2', detail: 'Control characters in the description are left out.' },
  ]
  expect(await preview(admin.api, csv)).toMatchObject({ to_create: 2, to_change: 1, problems })
  const done = await importCsv(id, admin.api, csv)
  expect(done).toMatchObject({ counts: { created: 2, changed: 1 }, problems })
})

it('lines in a cell keep the ends that they have, and a row with other line ends is the same row', async () => {
  const { id, admin } = await ws.project()
  const texts = async () => {
    const { items } = (await admin.api.get('/work_orders')).body
    return Promise.all(
      items.map(
        async (one: { id: string }) => (await admin.api.get(`/work_orders/${one.id}`)).body.data.markdown_content,
      ),
    )
  }
  await importCsv(id, admin.api, 'Title,Description\r\nOne,"a\r\nb\nc\rd"\r\nTwo,"e\nf"\r\n')
  expect(await texts()).toEqual(['a\r\nb\nc\rd\n', 'e\nf\n'])
  const again = await importCsv(id, admin.api, 'Title,Description\nOne,"a\nb\nc\rd"\nTwo,"e\r\nf"\n')
  expect(again.counts).toMatchObject({ created: 0 })
})

it('a file in another encoding is refused', async () => {
  const { admin } = await ws.project()
  const latin = Buffer.from('Title;Status\nGröße;ready\n', 'latin1')
  const { body } = await send(admin.api, '/imports/work_orders/preview', latin)
  expect(body).toMatchObject({ code: 'unusable_file', detail: expect.stringContaining('CSV UTF-8') })
})

it('a file that is refused is closed', async () => {
  const long = 'x'.repeat(40_000)
  for (const beginning of ['Title\n\0', 'Column\n', 'Title\n\xff']) {
    const file = Readable.from([beginning, long, long, long].map((part) => Buffer.from(part, 'latin1')))
    const reading = async () => {
      for await (const _row of (await readCsv(file)).rows);
    }
    await expect(reading()).rejects.toThrow(AppError)
    expect(file.destroyed).toBe(true)
  }
})

it('viewers import nothing', async () => {
  const project = await ws.project()
  const viewer = await project.join('viewer')
  expect((await send(viewer.api, '/imports/work_orders', 'Title\nx\n')).status).toBe(403)
  expect((await send(viewer.api, '/imports/work_orders/preview', 'Title\nx\n')).status).toBe(403)
})
