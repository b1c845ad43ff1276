import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '..')
const tokens = readFileSync(path.join(src, 'app/tokens.css'), 'utf8')
const sheets = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.css') && file !== path.join('app', 'tokens.css'))
  .map((file) => ({ file, text: readFileSync(path.join(src, file), 'utf8') }))

const findIn = (pattern: RegExp) =>
  sheets.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([found]) => `${file}: ${found}`))

test('radii and sizes of text are tokens: no other style sheet has its own', () => {
  expect(sheets.length).toBeGreaterThan(50)
  expect(findIn(/(?:border(?:-[a-z]+)*-radius|font-size|font):[^;}]*\dpx/g)).toEqual([])
})

test('every token of this kind that a style sheet uses exists', () => {
  const used = findIn(/var\(--(?:text|radius|doc)[\w-]*\)/g)
  const isKnown = (use: string) => tokens.includes(`${/--[\w-]+/.exec(use)![0]}:`)
  expect(used.filter((use) => !isKnown(use))).toEqual([])
})
