import { AsyncLocalStorage } from 'node:async_hooks'
import { installTransactionWatch } from '../src/kernel/database/transaction-guard.ts'

const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()
const found: string[] = []

/** Fails what waits inside a transaction for anything but PostgreSQL. */
export function watchTransactions(): void {
  installTransactionWatch({
    async enter(run) {
      const transaction = { isOpen: true }
      try {
        return await transactions.run(transaction, run)
      } finally {
        // What a transaction began and nobody waited for may still be running.
        transaction.isOpen = false
      }
    },
    refuse(what) {
      if (!transactions.getStore()?.isOpen) return
      const err = new Error(`A transaction must not wait for ${what}. Do that before it begins, or after it has ended.`)
      found.push(err.stack ?? err.message)
      throw err
    },
  })
}

/** A request is none of the business of a transaction that a test itself holds open. */
export const outsideTransaction = <T>(run: () => T): T => transactions.exit(run)

/** Also what a handler has caught and made an answer of. */
export function failOnWaitingTransactions(): void {
  const [first] = forgetWaitingTransactions()
  if (first) throw new Error(first)
}

/** For a test that lets a transaction wait on purpose. */
export const forgetWaitingTransactions = (): string[] => found.splice(0)
