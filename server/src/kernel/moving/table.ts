import { type TObject, type TSchema, Type } from 'typebox'
import { Nullable, Time, Uuid } from '../http/schema.ts'

export type Row = Record<string, unknown>

/**
 * How the rows of a table travel in an export. The owner of the table declares it; the columns are the properties of
 * `row`, which also checks what an import brings. `project_id` is never among them.
 */
export interface MovedTable {
  name: string
  row: TObject
  /** The order of the rows, as SQL. Columns that PostgreSQL numbers get new numbers in this order. */
  order: string
  /** Which rows travel, as SQL. All others stay where they are. */
  where?: string
  /** The column that names the parent. Parents travel before their children. */
  parent?: string
  /** What travels instead of the value of a column, as SQL. */
  instead?: Record<string, string>
  /** The bytes of each row that has a `sha256` travel too. Their key in the store is new. `same` stays as they are. */
  bytes?: { key: string; size: string; place: string; same?: string }
  /** What becomes of a row when it arrives. Throws an `AppError` if it cannot be as it is. */
  arrive?: (row: Row) => Row
  /** Rules about several rows: a sentence, and the SQL that selects what breaks the rule. */
  rules?: { fault: string; broken: string }[]
}

/** A person or a key, which has another id in another place. */
type Referred = 'person' | 'key'
const REFERS = 'x-refers'

export const Someone = Type.Unsafe<string>({ ...Uuid, [REFERS]: 'person' })
export const MaybeSomeone = Nullable(Someone)
export const MaybeKey = Nullable(Type.Unsafe<string>({ ...Uuid, [REFERS]: 'key' }))

export const Whole = Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 })
export const Large = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const Fields = Type.Unsafe<Row>({ type: 'object' })
export const MaybeId = Nullable(Uuid)
export const MaybeTime = Nullable(Time)
export const MaybeFields = Nullable(Fields)

export const columnsOf = ({ row }: MovedTable): string[] => Object.keys(row.properties)

export const referring = ({ row }: MovedTable, to: Referred): string[] =>
  Object.entries(row.properties)
    .filter(([, schema]) => (schema as TSchema & { [REFERS]?: Referred })[REFERS] === to)
    .map(([column]) => column)
