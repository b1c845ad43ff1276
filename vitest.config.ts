import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['server/src/**/*.test.ts', 'server/test/**/*.test.ts', 'e2e/**/*.test.ts', 'sdk/src/**/*.test.ts'],
    globalSetup: ['server/test/global-setup.ts'],
    setupFiles: ['server/test/setup.ts'],
    reporters: ['default', './server/test/closing-line-reporter.ts'],
    pool: 'forks',
    // Every file opens a database and a service of its own, so files of one process may share the loaded modules: loading
    // them anew for each file took longer than the tests.
    isolate: false,
    // Some start processes, and a busy machine takes its time for that.
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
