import { isDatabaseAway } from '../../kernel/database/index.ts'
import type { Background, BackgroundDeps } from '../../kernel/slice.ts'
import { createTalks } from './talking.ts'
import { takeUpTurns } from './turns/taking-up.ts'

const LOOK_EVERY_MS = 5_000

/** Looks for turns whose server has stopped, at the start and every few seconds, and runs them on this node. */
export function startTakingOver(deps: BackgroundDeps): Background {
  const talks = createTalks()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const look = async () => {
    try {
      for (const { ctx, ref } of await takeUpTurns(deps)) talks.run(ctx, ref, true)
    } catch (err) {
      if (!isDatabaseAway(err)) deps.log.error({ err }, 'turns could not be taken up')
    }
    if (!isStopped) timer = setTimeout(() => (looking = look()), LOOK_EVERY_MS)
  }
  let looking = look()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await looking
      await talks.close()
    },
  }
}
