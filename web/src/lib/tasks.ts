const TASK = /^([ \t]*(?:[-*+]|\d+[.)])[ \t]+\[)([ xX])(\])/gm

/** Ticks or clears the box whose mark is at this place. All other characters stay as they are. */
export const tickTask = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === ' ' ? 'x' : ' '}${text.slice(at + 1)}`

/** How many boxes a text has, and how many are ticked. */
export function countTasks(text: string): { total: number; done: number } {
  const marks = [...text.matchAll(TASK)].map(([, , mark]) => mark)
  return { total: marks.length, done: marks.filter((mark) => mark !== ' ').length }
}
