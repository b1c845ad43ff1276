import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { feedbackProject, REPORT, report } from '../feedback.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

it('gives 500 parallel reports the numbers 1 to 500, each to its own content', async () => {
  const { project, api, reporter } = await feedbackProject(ws)
  const second = await project.join('editor', 'reporting')
  const answers = await Promise.all(times(500, (i) => report(i % 2 ? reporter : second, `Report ${i}`)))
  const numbers = answers.map((answer) => answer.body.feedback_number as number)
  expect([...numbers].sort((a, b) => a - b)).toEqual(times(500, (i) => i + 1))
  const { total } = (await api.get('/feedback/items')).body
  expect(total).toBe(500)
  const rows =
    await ws.sql`select feedback_number, markdown_content from feedback_items where project_id = ${project.id}`
  const contents = new Map(rows.map((row) => [row.feedback_number, row.markdown_content]))
  for (const [index, number] of numbers.entries()) expect(contents.get(number)).toBe(`Report ${index}`)
  const [events] = await ws.sql`select count(*)::int as n, count(distinct request_id)::int as requests from events
    where project_id = ${project.id} and kind = 'feedback_item.submitted'`
  expect(events).toEqual({ n: 500, requests: 500 })
})

it('counts each project alone', async () => {
  const [one, other] = [await feedbackProject(ws), await feedbackProject(ws)]
  await report(one.reporter)
  expect((await report(other.reporter)).body).toEqual({ feedback_number: 1 })
  expect((await report(one.reporter)).body).toEqual({ feedback_number: 2 })
})

it('takes the rest when one of those that came together fails, and wastes no number on it', async () => {
  const { reporter } = await feedbackProject(ws)
  await ws.sql`alter table feedback_items add constraint refused check (title <> 'refused') not valid`
  onTestFinished(async () => void (await ws.sql`alter table feedback_items drop constraint refused`))
  const answers = await Promise.all(times(30, (i) => report(reporter, i === 7 ? 'refused' : 'fine')))
  expect(answers.map((one) => one.status === 201)).toEqual(times(30, (i) => i !== 7))
  const numbers = answers.filter((one) => one.status === 201).map((one) => one.body.feedback_number)
  expect(numbers.sort((a, b) => a - b)).toEqual(times(29, (i) => i + 1))
})

it('records each report with the request that brought it, also when all come at once', async () => {
  const { project, reporter } = await feedbackProject(ws)
  const send = (content: string) =>
    reporter.api.post(REPORT, { end_user_email: 'a@example.org', content }, { 'x-request-id': `for-${content}` })
  await Promise.all(times(10, (i) => send(`report${i}`)))
  const events = await ws.sql<{ title: string; request: string }[]>`
    select payload ->> 'title' as title, request_id as request from events
    where project_id = ${project.id} and kind = 'feedback_item.submitted'`
  expect(new Map(events.map(({ title, request }) => [title, request]))).toEqual(
    new Map(times(10, (i) => [`report${i}`, `for-report${i}`])),
  )
})

it('takes a repeated report once, also when all come at once', async () => {
  const { api, reporter } = await feedbackProject(ws)
  const body = { end_user_email: 'a@example.org', content: 'x' }
  const answers = await Promise.all(times(20, () => reporter.api.post(REPORT, body, { 'idempotency-key': 'same' })))
  for (const { status } of answers) expect([201, 409]).toContain(status)
  expect((await api.get('/feedback/items')).body.total).toBe(1)
})
