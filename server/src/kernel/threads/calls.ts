import type { MessagePort, Worker } from 'node:worker_threads'
import { refuseInsideTransaction } from '../database/transaction-guard.ts'
import { AppError } from '../errors.ts'

// biome-ignore lint/suspicious/noExplicitAny: whatever can be cloned
type Functions<T> = { [K in keyof T]: (...args: any[]) => unknown }

type Message =
  | { is: 'call'; name: string; args: unknown[]; id: number | undefined }
  | { is: 'answer'; id: number; value: unknown }
  | { is: 'failure'; id: number; err: unknown }

/** Calls the functions of the other thread. */
export interface Peer<Theirs extends Functions<Theirs>> {
  ask<K extends keyof Theirs & string>(name: K, ...args: Parameters<Theirs[K]>): Promise<Awaited<ReturnType<Theirs[K]>>>
  /** Does not wait, and ignores a failure. */
  tell<K extends keyof Theirs & string>(name: K, ...args: Parameters<Theirs[K]>): void
  /** Rejects all unanswered calls. Call it when the other thread has ended. */
  giveUp(err: Error): void
}

/** Lets two threads call each other's functions. Calls run in the order in which they were sent. */
export function exchangeCalls<Theirs extends Functions<Theirs>, Ours extends Functions<Ours>>(
  port: Worker | MessagePort,
  offer: (peer: Peer<Theirs>) => Ours,
): Peer<Theirs> {
  const asked = new Map<number, { resolve(value: never): void; reject(err: unknown): void }>()
  let last = 0

  port.on('message', (message: Message) => {
    if (message.is === 'call') return void serve(message)
    const waiting = asked.get(message.id)
    asked.delete(message.id)
    if (message.is === 'answer') waiting?.resolve(message.value as never)
    else waiting?.reject(unpacked(message.err))
  })

  async function serve({ name, args, id }: Message & { is: 'call' }): Promise<void> {
    try {
      const value = await ours[name as keyof Ours](...args)
      if (id !== undefined) port.postMessage({ is: 'answer', id, value } satisfies Message)
    } catch (err) {
      if (id !== undefined) port.postMessage({ is: 'failure', id, err: packed(err) } satisfies Message)
    }
  }

  const peer: Peer<Theirs> = {
    ask: (name, ...args) =>
      new Promise((resolve, reject) => {
        refuseInsideTransaction('another thread')
        const id = ++last
        port.postMessage({ is: 'call', name, args, id } satisfies Message)
        asked.set(id, { resolve, reject })
      }),
    tell(name, ...args) {
      port.postMessage({ is: 'call', name, args, id: undefined } satisfies Message)
    },
    giveUp(err) {
      for (const { reject } of asked.values()) reject(err)
      asked.clear()
    },
  }
  const ours = offer(peer)
  return peer
}

/** Structured cloning loses the class of an error, so an AppError is sent as its fields. */
function packed(err: unknown): unknown {
  if (!(err instanceof AppError)) return err instanceof Error ? err : new Error(String(err))
  const { status, code, message, extra, headers } = err
  return { status, code, message, extra, headers }
}

function unpacked(err: unknown): unknown {
  if (err instanceof Error) return err
  const { status, code, message, extra, headers } = err as AppError
  return new AppError(status, code, message, { extra, headers })
}
