/** The process that owns the spool and starts ripgrep: starting a process takes long from one with much memory. */
import { killAll } from './ripgrep.ts'
import { openSpool } from './spool.ts'

/** What the child is asked; `failed` says why it cannot answer. */
export type Spool = Pick<ReturnType<typeof openSpool>, 'write' | 'find' | 'test'>
export type Question = { number: number } & {
  [K in keyof Spool]: { ask: K; input: Parameters<Spool[K]>[0] }
}[keyof Spool]
export type Reply = { number: number } & ({ value: unknown } | { failed: string })

const spool = openSpool(process.argv[2]!)

async function answer(question: Question): Promise<unknown> {
  switch (question.ask) {
    case 'write':
      return spool.write(question.input)
    case 'find':
      return spool.find(question.input)
    case 'test':
      return spool.test(question.input)
  }
}

process.on('message', async (question: Question) => {
  const { number } = question
  const reply: Reply = await answer(question).then(
    (value) => ({ number, value }),
    (err) => ({ number, failed: err instanceof Error ? err.message : String(err) }),
  )
  if (process.connected) process.send!(reply)
})

// It ends with its parent, however that ends. Signals to a whole group of processes are for the parent to handle.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => {
  killAll()
  spool.close()
  process.exit()
})
