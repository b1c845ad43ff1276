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
]
const SAME = ['My new card has not arrived', 'The card I ordered has not arrived']
const EXPORT = [
  'The export to Excel is empty',
  'The Excel export is empty again',
  'Export to Excel gives an empty file',
]

async function setUp(themes: { title: string; texts: string[] }[]) {
  const { project, api, reporter } = await feedbackProject(ws)
  const ada = await signedInMember(ws, project, 'viewer')
  const ids: string[] = []
  for (const { title, texts } of themes) {
    const theme = await makeTheme(api, { title })
    ids.push(theme.id)
    for (const text of texts) await link(api, theme.id, (await submitItem(api, reporter, text)).id)
  }
  const suggestion = async () => (await ada.call('GET', `/feedback/themes/${ids[0]}/merge_suggestion`)).body.data
  /** As triage does before it decides. */
  const read = () => withProject(ws.deps, project.id, async () => undefined)
  return { ids, suggestion, read }
}

it('names the theme that says the same, and why, once triage has read both', async () => {
  const { ids, suggestion, read } = await setUp([
    { title: 'Cards do not arrive', texts: CARD },
    { title: 'The export of cards is empty', texts: EXPORT },
    { title: 'New cards arrive late', texts: SAME },
  ])
  expect(await suggestion()).toBeNull()
  await read()
  expect(await suggestion()).toMatchObject({
    theme: { id: ids[2], display_id: 'TH-3' },
    reason: expect.stringMatching(/^Of 5 quotes compared, [345] speak of the same\.$/),
  })
})

it('suggests nothing where the others speak of something else', async () => {
  const { suggestion, read } = await setUp([
    { title: 'Cards do not arrive', texts: CARD },
    { title: 'The export of cards is empty', texts: EXPORT },
  ])
  await read()
  expect(await suggestion()).toBeNull()
})
