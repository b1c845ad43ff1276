import { expect, test } from 'vitest'
import { lastOf } from './last-of.ts'

test('of a long text that is being said, only the end is drawn, from the beginning of a line if there is one', () => {
  expect(lastOf('One.')).toBe('One.')
  const line = `${'word '.repeat(19)}end\n`
  const long = line.repeat(1_000)
  for (const said of [long, `${long}one more`, 'x'.repeat(500_000)]) {
    const shown = lastOf(said)
    expect(shown.length).toBeLessThan(20_010)
    expect(shown.length).toBeGreaterThan(5_000)
    expect(said.endsWith(shown.slice(3))).toBe(true)
  }
  expect(lastOf(`${long}one more`).slice(3)).toMatch(/^word /)
  // The next word does not move the beginning.
  expect(lastOf(`${long}one more`).slice(0, 200)).toBe(lastOf(`${long}one`).slice(0, 200))
})
