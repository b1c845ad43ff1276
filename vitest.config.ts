import { defineConfig } from 'vitest/config'

/** Tests that judge time, or start whole services. They take turns, after all others. */
const ALONE = ['server/test/hostile/**/*.test.ts', 'server/test/process/**/*.test.ts']
/** Browsers wait most of the time, so two journeys run at once. */
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
            'web/src/**/*.test.ts',
          ],
          exclude: ALONE,
          maxWorkers: 2,
        },
      },
      { test: { ...settings, name: 'journeys', include: JOURNEYS, maxWorkers: 2, sequence: { groupOrder: 1 } } },
      { test: { ...settings, name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
  },
})
