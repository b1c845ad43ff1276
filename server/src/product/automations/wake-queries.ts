import type { Db } from '../../kernel/database/index.ts'

/** The channel that tells every node, on commit, that there is work to start or to stop. */
export const CHANNEL = 'automations'
const CANCEL = 'cancel '

export const wakeDispatchers = (db: Db) => db`select pg_notify(${CHANNEL}, '')`

export const announceCancel = (db: Db, runId: string) => db`select pg_notify(${CHANNEL}, ${CANCEL + runId})`

/** The run that a message asks to stop. */
export const cancelledRunIn = (message: string) =>
  message.startsWith(CANCEL) ? message.slice(CANCEL.length) : undefined
