import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Screen readers jump by these, so they are no trifles. */
const STRUCTURE = ['landmark-one-main', 'page-has-heading-one']

/** They are called what they stand for. Their other texts and buttons are read for themselves. */
const CONTAINERS = /^<[^>]*(role="treeitem"|aria-roledescription="card")/

/** What axe finds, except trifles: which rule, and where. */
export async function findingsOn(page: Page, rules?: string[]): Promise<string[]> {
  // What is still fading in has less contrast. What moves as long as something goes on never ends.
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
    .map((one) => one.finished.catch(() => undefined)))`)
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  // Without `resultTypes`, axe also describes every element that passes.
  const options: axe.RunOptions = rules
    ? { resultTypes: ['violations'], runOnly: rules }
    : { resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: true } } }
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || STRUCTURE.includes(id))
    .flatMap(({ id, nodes }) =>
      nodes
        .filter(({ html }) => id !== 'label-content-name-mismatch' || !CONTAINERS.test(html))
        .map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
}
