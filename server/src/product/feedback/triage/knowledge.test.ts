import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { feedbackProject, link, makeTheme, submitItem } from '../feedback.factory.ts'
import { withProject } from './knowledge.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

it('reads no more of what was never read than a caller can wait for, the newest first', async () => {
  const { project, api, reporter } = await feedbackProject(ws)
  const theme = await makeTheme(api, { title: 'Cards do not arrive' })
  const texts = ['My card has not arrived yet', 'When will my new card arrive?', 'I wait for my card to arrive']
  for (const text of texts) await link(api, theme.id, (await submitItem(api, reporter, text)).id)
  const known = (mostUnread?: number) =>
    withProject(
      ws.deps,
      project.id,
      async (_db, { memory }) => memory.membersOf(theme.id).map(({ matter }) => matter.excerpt),
      mostUnread === undefined ? {} : { mostUnread },
    )
  expect(await known(1)).toEqual([texts[2]])
  expect((await known(1)).sort()).toEqual([texts[2], texts[1]].sort())
  expect((await known()).sort()).toEqual([...texts].sort())
})
