/**
 * A transaction waits only for PostgreSQL: while it waits for anything else, it blocks others with its locks and its
 * connection. Tests install a watch that fails on a violation. Without a watch, the checks cost nothing.
 */
export interface TransactionWatch {
  enter<T>(run: () => Promise<T>, isOpen: () => boolean): Promise<T>
  refuse(what: string): void
}

let watch: TransactionWatch | undefined

export function installTransactionWatch(installed: TransactionWatch): void {
  watch = installed
}

/** Called with the function that runs inside, or in which a transaction may begin: while `isOpen`. */
export function enterTransaction<T>(run: () => Promise<T>, isOpen = () => true): Promise<T> {
  return watch ? watch.enter(run, isOpen) : run()
}

/** Called before waiting for anything other than PostgreSQL: a thread, the store, a model. */
export function refuseInsideTransaction(what: string): void {
  watch?.refuse(what)
}
