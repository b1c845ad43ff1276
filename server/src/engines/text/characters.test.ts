import { expect, test } from 'vitest'
import { cut, firstCharacters, isLongerThan } from './characters.ts'

test('a character counts once, no matter how many UTF-16 units it takes', () => {
  for (const character of ['x', 'ü', '😀', '\ud800']) {
    const text = character.repeat(10)
    expect([9, 10, 11].map((limit) => isLongerThan(text, limit))).toEqual([true, false, false])
    expect(firstCharacters(text, 3)).toBe(character.repeat(3))
    expect(firstCharacters(text, 11)).toBe(text)
    expect([cut(text, 10), cut(text, 9)]).toEqual([text, `${character.repeat(8)}…`])
  }
})
