export { DatabaseBusyError, errorCode, isDatabaseAway } from './failures.ts'
export { listen } from './listen.ts'
export { type Connection, clientConfig, connect, type Sql } from './pool.ts'
export {
  afterCommit,
  type Db,
  forProject,
  isTransaction,
  json,
  likeSubstring,
  listOf,
  query,
  raw,
  readInOne,
  SqlPart,
  Statement,
  selectByIds,
  sendLater,
  sendTogether,
  type Tx,
  Values,
} from './statement.ts'
export { inSavepoint, inSnapshot, inTransaction, isShared, lateTransaction } from './transaction.ts'
