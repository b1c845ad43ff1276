import type { DecorationAttrs } from 'prosemirror-view'

/** Strong enough for white text in both schemes. */
const COLORS = ['#3a5fb0', '#2f6b3a', '#7b4a9e', '#b0581f', '#0b6b7d', '#9c3b5e', '#5a6b1f', '#6a5a4a']
const COLOR = /^#[0-9a-f]{6}$/i

export function colorOf(id: string): string {
  let sum = 0
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0
  return COLORS[sum % COLORS.length]!
}

/** What others send is not trusted: only a color becomes part of a style. */
const safe = (color: string) => (COLOR.test(color) ? color : COLORS[0]!)

export function buildCursor({ name, color }: { name: string; color: string }): HTMLElement {
  const cursor = document.createElement('span')
  cursor.className = 'cursor'
  cursor.style.setProperty('--cursor', safe(color))
  const label = document.createElement('span')
  label.className = 'cursor-name'
  label.textContent = name.slice(0, 60)
  cursor.append('\u2060', label, '\u2060')
  return cursor
}

export const buildSelection = ({ color }: { color: string }): DecorationAttrs => ({
  class: 'cursor-selection',
  style: `--cursor: ${safe(color)}`,
})
