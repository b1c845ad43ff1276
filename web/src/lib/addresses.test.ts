import { describe, expect, test } from 'vitest'
import { isSafeAddress, leadsElsewhere, ownPath } from './addresses.ts'

const HERE = 'https://slipway.example.org/p/1/work-orders?view=2'

/** All of these open evil.example in a browser. */
const HIDDEN = [
  '//evil.example',
  '//evil.example/p/1',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n\\evil.example',
  '\t//evil.example',
  ' //evil.example',
  'https://slipway.example.org@evil.example',
  'https://slipway.example.org.evil.example',
  'http://slipway.example.org/',
]

describe('an address', () => {
  test.each(HIDDEN)('%j leads elsewhere, and nobody is sent there after the sign-in', (address) => {
    expect(leadsElsewhere(address, HERE)).toBe(true)
    expect(ownPath(address, HERE)).toBeUndefined()
  })

  test.each(['/p/1', '/', '#place', '?view=3', 'other', HERE, '/p/1?next=//evil.example', '/a\\b'])(
    '%j stays here',
    (address) => expect(leadsElsewhere(address, HERE)).toBe(false),
  )

  test.each(['mailto:ada@example.org', 'javascript:alert(1)', 'https://'])('%j leads to no other site', (address) =>
    expect(leadsElsewhere(address, HERE)).toBe(false),
  )

  test.each([
    'https://example.org',
    'HTTP://example.org',
    'mailto:ada@example.org',
    '/p/1',
    '#a',
    'note.md',
    '//a.org',
  ])('%j may be a link', (address) => expect(isSafeAddress(address)).toBe(true))

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'blob:https://slipway.example.org/1',
    'file:///etc/passwd',
    'https://',
  ])('%j may not be a link', (address) => expect(isSafeAddress(address)).toBe(false))

  test('after the sign-in is a path of this server, as the browser reads it', () => {
    expect(ownPath('/p/1?view=2#top', HERE)).toBe('/p/1?view=2#top')
    expect(ownPath('/p/\t1', HERE)).toBe('/p/1')
    for (const other of ['p/1', '', 'javascript:alert(1)', '?x', HERE, undefined, 7])
      expect(ownPath(other, HERE)).toBeUndefined()
  })
})
