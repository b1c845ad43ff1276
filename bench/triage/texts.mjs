import { readFileSync } from 'node:fs'

/** Constants were chosen on the first three streams, `demo`, `wallet` and `service`; the others only report. */
export const CHOSEN_ON = ['recipes', 'helpdesk', 'timesheets']
export const REPORTED = ['bikeshare', 'photos', 'shop', 'podcasts', 'rentals', 'todo', 'agency']

/** Lines of labels, a tab and a text: see README.md. */
export function readStream(name) {
  return readFileSync(new URL(`streams/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [labels, text] = line.split('\t')
      return { labels: labels.split(', '), text: text.replaceAll('\\n', '\n') }
    })
}

/** The feedback of the demo project, which was written for another purpose and by other hands. */
export function readDemo() {
  const file = new URL('../../server/src/demo/content/themes.md', import.meta.url)
  return readFileSync(file, 'utf8')
    .split(/^=== /m)
    .flatMap((part) => {
      const topic = /^\d+/.exec(part)?.[0]
      const items = part.split('@@ items')[1] ?? ''
      return [...items.matchAll(/^\S+@\S+: (.+)$/gm)].map(([, text]) => ({ labels: [topic ?? '-'], text }))
    })
}

/** Topics as headings, one text a line. */
export function readSet(name) {
  let topic = ''
  return readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) topic = line.slice(2)
      return line === '' || line.startsWith('# ') ? [] : [{ labels: [topic], text: line }]
    })
}

export function shuffled(values, seed) {
  const result = [...values]
  let state = seed * 2_654_435_761
  const random = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0
    return state / 2 ** 32
  }
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[result[i], result[j]] = [result[j], result[i]]
  }
  return result
}
