import type { Reporter, TestModule } from 'vitest/node'

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
        if (test.diagnostic()?.flaky) retried.push(`passed only when tried again: ${test.fullName}\n`)
      }
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    process.on('exit', () =>
      process.stdout.write(`${retried.join('')}${count.passed} passed, ${count.failed} failed${skipped}\n`),
    )
  }
}
