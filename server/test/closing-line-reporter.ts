import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Why the first try failed, and where: it is not shown anywhere else. */
function faultOf(test: TestCase): string {
  const [err] = test.result().errors ?? []
  const place = err?.stacks?.find(({ file }) => file.endsWith('.ts'))
  return `  ${err?.message.split('\n').slice(0, 4).join(' ').slice(0, 400)}${place ? ` (${place.file}:${place.line})` : ''}\n`
}

/** Ends the output with one plain line that any script can parse, and names before it what needed another try. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    const retried: string[] = []
    for (const module of modules) {
      count.failed += module.errors().length
      for (const test of module.children.allTests()) {
        const state = test.result().state
        if (state !== 'pending') count[state]++
        if (test.diagnostic()?.flaky) retried.push(`passed only when tried again: ${test.fullName}\n${faultOf(test)}`)
      }
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    process.on('exit', () =>
      process.stdout.write(`${retried.join('')}${count.passed} passed, ${count.failed} failed${skipped}\n`),
    )
  }
}
