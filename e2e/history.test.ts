import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { goTo, openRequirement } from './open-document.ts'

let app: OpenApp
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

const TEXT = `Ada writes here.

Grace writes there.

> [!WARNING]
> Refunds are final.

- [x] Agreed
- [ ] Built

![Outside](https://other.example/a.png)

See [the rules][rules].

[rules]: https://example.org/rules
`

test('the history names everyone who typed into a version, and shows blocks as comments show them', async () => {
  const { email, join, open, content, url } = await openRequirement(app, TEXT)
  const [ada, grace] = [await open(email), await open(await join('Grace Hopper'))]
  await goTo(ada, 'Ada writes here.')
  await ada.keyboard.type(' Always.')
  await eventually(async () => (await content()).includes('here. Always.'))
  await goTo(grace, 'Grace writes there.')
  await grace.keyboard.type(' Often.')
  await eventually(async () => (await content()).includes('there. Often.'))
  await ada.getByText('Ada Lovelace and Grace Hopper edited').waitFor()

  await ada.goto(`${url}/history`)
  const versions = ada.getByRole('complementary', { name: 'Versions' })
  await versions.getByText('Ada Lovelace and Grace Hopper').waitFor()
  await ada.getByRole('button', { name: /blocks unchanged/ }).click()
  await ada.getByText('Refunds are final.').waitFor()
  const article = ada.getByRole('article')
  expect(await article.locator('[data-callout="warning"]').count()).toBe(1)
  expect(await article.getByRole('checkbox').count()).toBe(2)
  expect(await article.locator('img').count()).toBe(0)
  expect(await article.getByRole('link', { name: 'the rules' }).getAttribute('href')).toBe('https://example.org/rules')
  expect(await article.locator('ins').allTextContents()).toEqual(
    expect.arrayContaining([expect.stringMatching('Often.')]),
  )
})
