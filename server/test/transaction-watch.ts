import { AsyncLocalStorage } from 'node:async_hooks'
import { installTransactionWatch } from '../src/kernel/database/transaction-guard.ts'

const transactions = new AsyncLocalStorage<{ isOpen: () => boolean }>()
const found: string[] = []

/** Fails whatever waits inside a transaction for anything but PostgreSQL. */
export function watchTransactions(): void {
  installTransactionWatch({
    async enter(run, isOpen) {
      const transaction = { isOpen }
      try {
        return await transactions.run(transaction, run)
      } finally {
        // Something that a transaction started and nobody awaited may still be running.
        transaction.isOpen = () => false
      }
    },
    refuse(what) {
      if (!transactions.getStore()?.isOpen()) return
      const err = new Error(`A transaction must not wait for ${what}. Do that before it begins, or after it has ended.`)
      found.push(err.stack ?? err.message)
      throw err
    },
  })
}

/** Runs a request outside the transaction that a test itself holds open. */
export const outsideTransaction = <T>(run: () => T): T => transactions.exit(run)

/** Also catches violations that a handler turned into a response. */
export function failOnWaitingTransactions(): void {
  const [first] = forgetWaitingTransactions()
  if (first) throw new Error(first)
}

/** For tests that let a transaction wait on purpose. */
export const forgetWaitingTransactions = (): string[] => found.splice(0)
