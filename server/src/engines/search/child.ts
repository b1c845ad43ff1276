/**
 * The process that owns the spool and starts ripgrep. It is separate because a process with much memory takes longer to
 * start another.
 */
import { killAll } from './ripgrep.ts'
import { openSpool } from './spool.ts'

/** The methods that the parent can call. */
export type Spool = Pick<ReturnType<typeof openSpool>, 'write' | 'find' | 'test'>
export type Question = { number: number; ask: keyof Spool; input: unknown }
export type Reply = { number: number } & ({ value: unknown } | { failed: string })

const spool = openSpool(process.argv[2]!)

const answer = async ({ ask, input }: Question): Promise<unknown> => spool[ask](input as never)

process.on('message', async (question: Question) => {
  const { number } = question
  const reply: Reply = await answer(question).then(
    (value) => ({ number, value }),
    (err) => ({ number, failed: err instanceof Error ? err.message : String(err) }),
  )
  if (process.connected) process.send!(reply)
})

// The parent handles signals to the process group. The child exits when the parent does, because the channel closes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => {
  killAll()
  spool.close()
  process.exit()
})
