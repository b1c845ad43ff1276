import { expect, it } from 'vitest'
import { signatureOf } from './signature.ts'
import { placesOf } from './signature-format.ts'
import type { Condition } from './trigrams.ts'
import { plan } from './worker.ts'

function planOf(pattern: string, caseSensitive = false) {
  const planned = plan({ pattern, caseSensitive })
  if ('reason' in planned) throw new Error(planned.reason)
  return planned
}

function holds(condition: Condition, signature: Uint8Array): boolean {
  if (condition === true) return true
  if (typeof condition !== 'number')
    return 'all' in condition
      ? condition.all.every((one) => holds(one, signature))
      : condition.any.some((one) => holds(one, signature))
  return placesOf(condition).every((place) => {
    const bit = place & (signature.length * 8 - 1)
    return ((signature[bit >> 3]! >> (bit & 7)) & 1) === 1
  })
}

const mayMatch = (pattern: string, text: string) => holds(planOf(pattern).trigrams, signatureOf(text))

it.each([
  ['invoice', 'one INVOICE more', 'only receipts here'],
  ['invoice|receipt', 'a Receipt', 'a bill'],
  ['in(?:voice|put)s?', 'INPUT', 'output'],
  ['\\d{4}-\\d{2}', 'since 2026-11', 'since 2026/11'],
  ['\\bv\\d+\\.\\d+', 'v1.2', 'version one, v1'],
  ['^## \\w', 'text\n## Heading', 'text ## no heading'],
  ['end;$', 'the end;', 'the end; or not'],
  ['straße', 'STRASSE, STRAẞE', 'STRASSE'],
  ['(?:ab){3}', 'ababab', 'ab ab ab'],
])('%s may be in %j but not in %j', (pattern, text, another) => {
  expect(mayMatch(pattern, text)).toBe(true)
  expect(mayMatch(pattern, another)).toBe(false)
})

it.each(['.*', 'ab', 'a?b?c?', '\\w+', '(?:invoice)?', 'invoice|', '[aeiou]{9}', '^', '$^', '^^', 'x*'])(
  '%s says nothing about the trigrams of an English sentence',
  (pattern) => {
    expect(mayMatch(pattern, 'The quick brown fox jumps over the lazy dog; 12 of 345 times.\n\nNever.')).toBe(true)
  },
)

it('spells out letter case for PostgreSQL and leaves word boundaries out', () => {
  expect(planOf('\\bkey').postgresPattern).toBe('(?n)[K-Kk-k\\u212a-\\u212a][E-Ee-e][Y-Yy-y]')
  expect(planOf('^a.$', true).postgresPattern).toBe('(?n)^a[\\u0001-\\u0009\\u000b-\\U0010ffff]$')
})

it('loosens repetitions that PostgreSQL would refuse or that would grow too large in it', () => {
  expect(planOf('a{300}', true).postgresPattern).toBe('(?n)(?:a){255,}')
  expect(planOf('(?:a{20}b{20}){20}', true).postgresPattern).toBe('(?n)(?:(?:a){20,20}(?:b){20,20})+')
  expect(planOf('a{250}'.repeat(9), true).postgresPattern).toBe(`(?n)(?:a){250,250}${'(?:a)+'.repeat(8)}`)
})

it('loosens many parts that may be empty, which take PostgreSQL long to compile', () => {
  expect(planOf('(?:a?){200}b', true).postgresPattern).toBe('(?n)(?:(?:a){0,1})*b')
  expect(planOf('(?:a*|c\\b){2,9}b', true).postgresPattern).toBe('(?n)(?:(?:(?:a){0,}|c))*b')
  expect(planOf('x.*y.*', true).postgresPattern).toBe(
    '(?n)x(?:[\\u0001-\\u0009\\u000b-\\U0010ffff]){0,}y(?:[\\u0001-\\u0009\\u000b-\\U0010ffff]){0,}',
  )
  expect(planOf(`x${'a?b*'.repeat(50)}y`, true).postgresPattern).toBe('(?n)x(?:(?:a){0,1}|(?:b){0,})*y')
})
