import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { signedInMember } from '../../../faces/app-api/visitor.factory.ts'
import { feedbackProject, link, makeTheme, submitItem } from '../feedback.factory.ts'
import { withProject } from './knowledge.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const CARD = [
  'My card has not arrived yet',
  'When will my new card arrive?',
  'I am still waiting for my card to arrive',
  'My new card has not arrived',
  'The card I ordered has not arrived',
]
const EXPORT = [
  'The export to Excel is empty',
  'The Excel export is empty again',
  'Export to Excel gives an empty file',
]

async function setUp(texts: string[]) {
  const { project, api, reporter } = await feedbackProject(ws)
  const ada = await signedInMember(ws, project, 'viewer')
  const theme = await makeTheme(api, { title: 'Cards' })
  const ids = new Map<string, string>()
  for (const text of texts) {
    ids.set(text, (await submitItem(api, reporter, text)).id)
    await link(api, theme.id, ids.get(text)!)
  }
  const suggestion = async () => (await ada.call('GET', `/feedback/themes/${theme.id}/split_suggestion`)).body.data
  /** As triage does before it decides. */
  const read = () => withProject(ws.deps, project.id, async () => undefined)
  return { ids, suggestion, read }
}

it('names the quotes that speak of something else, once triage has read them', async () => {
  const { ids, suggestion, read } = await setUp([...CARD, ...EXPORT])
  expect(await suggestion()).toBeNull()
  await read()
  const { title, feedback_item_ids: found } = await suggestion()
  expect(found.sort()).toEqual(EXPORT.map((text) => ids.get(text)).sort())
  expect(title).toMatch(/excel/i)
})

it('suggests nothing where all speak of the same', async () => {
  const { suggestion, read } = await setUp(CARD)
  await read()
  expect(await suggestion()).toBeNull()
})
