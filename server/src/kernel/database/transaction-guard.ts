/**
 * A transaction waits for nothing but PostgreSQL: whatever else it waits for would keep its locks and its connection from
 * everyone. Tests install a watch that fails whoever breaks this; without one, none of it costs anything.
 */
export interface TransactionWatch {
  enter<T>(run: () => Promise<T>): Promise<T>
  refuse(what: string): void
}

let watch: TransactionWatch | undefined

export function installTransactionWatch(installed: TransactionWatch): void {
  watch = installed
}

/** Called by `inTransaction` with what runs inside. */
export function enterTransaction<T>(run: () => Promise<T>): Promise<T> {
  return watch ? watch.enter(run) : run()
}

/** Called by whatever waits for something other than PostgreSQL: a thread, the store, a model. */
export function refuseInsideTransaction(what: string): void {
  watch?.refuse(what)
}
