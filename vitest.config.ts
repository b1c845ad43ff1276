import { defineConfig } from 'vitest/config'

/** Tests that start whole services, after those that open a service in their own process. */
const PROCESSES = ['server/test/process/**/*.test.ts', 'server/src/product/live-texts/crashes.test.ts']
/** Tests that judge time: one at a time, when nothing else runs. */
const ALONE = [
  'server/test/hostile/**/*.test.ts',
  // Its checker gives up, or guesses, on a busy machine.
  'server/test/conventions/regular-expressions.test.ts',
  'server/test/process/{admin,broken-connections,imports,stopping}.test.ts',
  'web/src/**/*.hostile.test.ts',
]
const JOURNEYS = ['e2e/**/*.test.ts']

const settings = {
  setupFiles: ['server/test/setup.ts'],
  pool: 'forks' as const,
  // Every file opens a database and a service of its own, so files of one process may share the loaded modules: loading
  // them again for each file took longer than the tests.
  isolate: false,
  // Some start processes, and a busy machine takes its time for that.
  testTimeout: 90_000,
  hookTimeout: 90_000,
  // A fault fails every time, a machine that stalls does so once. The last lines name what needed another try.
  retry: 1,
}

export default defineConfig({
  test: {
    globalSetup: ['server/test/global-setup.ts'],
    reporters: ['default', './server/test/closing-line-reporter.ts'],
    projects: [
      {
        test: {
          ...settings,
          name: 'together',
          include: [
            'server/src/**/*.test.ts',
            'server/test/**/*.test.ts',
            'sdk/src/**/*.test.ts',
            'cli/src/**/*.test.ts',
          ],
          exclude: [...PROCESSES, ...ALONE],
          maxWorkers: 3,
        },
      },
      {
        // The web is tested from its sources, and so is what it imports.
        resolve: {
          alias: {
            '@slipway/sdk/resources': `${import.meta.dirname}/sdk/src/resources/index.ts`,
            '@slipway/sdk': `${import.meta.dirname}/sdk/src/index.ts`,
          },
        },
        test: {
          ...settings,
          name: 'web',
          include: ['web/src/**/*.test.ts'],
          exclude: ALONE,
          // Its modules hold the state of a page, and each file opens a page of its own.
          isolate: true,
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...settings,
          name: 'journeys',
          include: JOURNEYS,
          // A journey is as long as a person's way through several pages.
          testTimeout: 180_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...settings,
          name: 'processes',
          include: PROCESSES,
          exclude: ALONE,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...settings,
          name: 'alone',
          include: ALONE,
          maxWorkers: 1,
          retry: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
