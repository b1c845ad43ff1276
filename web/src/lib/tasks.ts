const TASK = /^([ \t]*(?:[-*+]|\d+[.)])[ \t]+\[)([ xX])(\])/gm

/** Ticks or clears the box with this number. All other characters stay as they are. */
export function tickTask(text: string, index: number): string {
  let at = -1
  return text.replace(TASK, (whole, before: string, mark: string, after: string) =>
    ++at === index ? `${before}${mark === ' ' ? 'x' : ' '}${after}` : whole,
  )
}

/** How many boxes a text has, and how many are ticked. */
export function countTasks(text: string): { total: number; done: number } {
  const marks = [...text.matchAll(TASK)].map(([, , mark]) => mark)
  return { total: marks.length, done: marks.filter((mark) => mark !== ' ').length }
}
