import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { feedbackProject, link, makeTheme, report } from '../feedback.factory.ts'
import { triageItem } from './engine.ts'
import { readTexts } from './read-texts.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
  await readTexts(undefined, 'project', [{ id: '', text: 'Warms up the thread' }])
})
afterAll(() => ws.close())

const CARD = ['My card has not arrived yet', 'When will my new card arrive?', 'I am still waiting for my card']
const EXPORT = ['The export to Excel is empty', 'My Excel export has no rows', 'The exported file is empty']
/** More than are read at once, twice over. */
const EACH = 40

/** A project with themes that people made and filled, and one item that is to be sorted. */
async function setUp() {
  const { project, api, reporter } = await feedbackProject(ws)
  const handIn = async (text: string): Promise<string> => {
    const { body } = await report(reporter, text)
    const [row] = await ws.sql`select id from feedback_items
      where project_id = ${project.id} and feedback_number = ${body.feedback_number}`
    return row!.id
  }
  const fill = async (title: string, texts: string[]): Promise<string> => {
    const { id } = await makeTheme(api, { title })
    for (let i = 0; i < EACH; i++) await link(api, id, await handIn(`${texts[i % texts.length]} (order ${i})`))
    return id
  }
  const themes = { cards: await fill('Cards', CARD), exports: await fill('Exports', EXPORT) }
  const triage = (itemId: string, signal?: AbortSignal) =>
    triageItem(ws.deps, { projectId: project.id, itemId, ownerId: project.admin.userId, runId: uuidv7() }, signal)
  const read = async () => {
    const [row] = await ws.sql`select count(*)::int as count from triage_readings where project_id = ${project.id}`
    return row!.count as number
  }
  const isReading = () => eventually(async () => (await read()) > 0)
  return { project, api, themes, handIn, triage, read, isReading }
}

describe('items that were in themes before', () => {
  it('are read, remembered and followed', async () => {
    const { themes, handIn, triage, read } = await setUp()
    const { changes } = await triage(await handIn('the Excel file that I exported is empty'))
    expect(changes).toMatchObject([{ action: 'feedback_linked', resourceId: themes.exports }])
    expect(await read()).toBe(EACH * 2 + 1)
  })

  it('leave the main thread to others while they are read', async () => {
    const { handIn, triage } = await setUp()
    const itemId = await handIn(CARD[0]!)
    const before = performance.eventLoopUtilization()
    await triage(itemId)
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  })

  it('are read without the lock, and without a transaction', async () => {
    const { project, handIn, triage, read, isReading } = await setUp()
    const sorted = triage(await handIn(CARD[0]!))
    await isReading()
    const [lock] = await ws.sql`
      select pg_try_advisory_xact_lock(hashtextextended(${`triage ${project.id}`}, 0)) as free`
    const open = await ws.sql`select query from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`
    expect(await read()).toBeLessThan(EACH * 2)
    expect(lock).toEqual({ free: true })
    expect(open).toEqual([])
    await sorted
  })

  it('stay read when a run is stopped, so that the next one comes further', async () => {
    const { themes, handIn, triage, read, isReading } = await setUp()
    const itemId = await handIn('where is the card that I ordered')
    const stopped = new AbortController()
    const sorted = expect(triage(itemId, stopped.signal)).rejects.toThrow('It was stopped while it read')
    await isReading()
    stopped.abort()
    await sorted
    expect(await read()).toBeGreaterThan(0)
    expect(await read()).toBeLessThan(EACH * 2)
    expect((await triage(itemId)).changes).toMatchObject([{ resourceId: themes.cards }])
    expect(await read()).toBe(EACH * 2 + 1)
  })

  it('that come while others are read are read for the next item', async () => {
    const { api, handIn, triage, read, isReading } = await setUp()
    const [first, late, next] = [
      await handIn(CARD[0]!),
      await handIn('Please add a dark mode to the editor'),
      await handIn('A dark mode for the editor, please'),
    ]
    const sorted = triage(first)
    await isReading()
    const { id } = await makeTheme(api, { title: 'Dark mode' })
    await link(api, id, late)
    await sorted
    expect(await read()).toBe(EACH * 2 + 1)
    expect((await triage(next)).changes).toMatchObject([{ action: 'feedback_linked', resourceId: id }])
    expect(await read()).toBe(EACH * 2 + 3)
  })
})
