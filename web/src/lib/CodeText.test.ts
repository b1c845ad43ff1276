import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CodeText, colored } from './CodeText.tsx'
import { lowlight } from './languages.ts'

test('code is plain until its colors are loaded', () => {
  const shown = renderToStaticMarkup(createElement(CodeText, { text: 'let a = "<b>"', language: 'js' }))
  expect(shown).toBe('let a = &quot;&lt;b&gt;&quot;')
})

test('code in colors has the same text, and long code or an unknown language has none', () => {
  const shown = (text: string, language: string) =>
    renderToStaticMarkup(createElement(Fragment, null, colored(lowlight, text, language)))
  expect(shown('let a = "<b>"', 'js')).toBe(
    '<span class="hljs-keyword">let</span> a = <span class="hljs-string">&quot;&lt;b&gt;&quot;</span>',
  )
  const long = `let a = ${'1'.repeat(50_000)}`
  expect(shown(long, 'js')).toBe(long)
  expect(shown('a', 'no-such-language')).toBe('a')
})
