import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listShortcuts } from '../lib/shortcuts.ts'
import { EDITOR_KEYS } from './editor-keys.ts'
import '../documents/shortcuts.ts'

const documents = path.join(import.meta.dirname, '..')
const sources = readdirSync(documents, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(path.join(documents, file), 'utf8') }))

test('every key that the editor binds is in the shortcut sheet', () => {
  const lines = Object.values(EDITOR_KEYS).flat()
  const named = listShortcuts().filter(({ id }) => id.startsWith('text '))
  for (const { name } of lines) expect(named.map((one) => one.name)).toContain(name)
  expect(named.map(({ keys }) => keys)).toEqual(expect.arrayContaining(['mod+b', 'mod+shift+z', 'mod+/', 'shift+tab']))
})

test('keys are bound only through the table that the sheet shows, and each group of it is bound', () => {
  const binding = sources.filter(({ text }) => text.includes("from 'prosemirror-keymap'"))
  // `keymap.ts` adds the keys that every editor of the library has.
  expect(binding.map(({ file }) => file).sort()).toEqual(['editor/bind-keys.ts', 'editor/keymap.ts'])
  expect(sources.find(({ file }) => file === 'editor/keymap.ts')!.text.match(/\bkeymap\(.*/g)).toEqual([
    'keymap(baseKeymap),',
  ])
  for (const group of Object.keys(EDITOR_KEYS))
    expect(sources.some(({ text }) => new RegExp(`(?:bindKeys|keyHandler)\\('${group}'`).test(text))).toBe(true)
})
