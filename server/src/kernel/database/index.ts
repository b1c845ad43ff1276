export { DatabaseBusyError, errorCode, isDatabaseAway } from './failures.ts'
export { listen } from './listen.ts'
export { type Connection, clientConfig, connect, type Sql, toIsoTime } from './pool.ts'
export {
  type Db,
  forProject,
  isTransaction,
  json,
  likeSubstring,
  query,
  type Row,
  raw,
  SqlPart,
  Statement,
  selectByIds,
  sendTogether,
  type Tx,
  Values,
} from './statement.ts'
export { inSavepoint, inSnapshot, inTransaction, retrying } from './transaction.ts'
