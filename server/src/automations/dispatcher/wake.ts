import type { Db } from '../../kernel/database/index.ts'

/** On which every node hears that there is something to do, or to stop doing, as soon as it is committed. */
export const CHANNEL = 'automations'
const CANCEL = 'cancel '

export const wakeDispatchers = (db: Db) => db`select pg_notify(${CHANNEL}, '')`

export const announceCancel = (db: Db, runId: string) => db`select pg_notify(${CHANNEL}, ${CANCEL + runId})`

/** The run that a message asks to stop. */
export const cancelledRunIn = (message: string) =>
  message.startsWith(CANCEL) ? message.slice(CANCEL.length) : undefined
