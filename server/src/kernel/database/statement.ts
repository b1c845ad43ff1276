/** A row with the column names of PostgreSQL. */
// biome-ignore lint/suspicious/noExplicitAny: a query that does not name the type of its rows says so by this
export type Row = Record<string, any>

export interface Root {
  /** The pool, as the service uses it for itself. */
  service?: Db
}

/** Runs statements: the pool or an open transaction. */
export interface Runner {
  /** Identical for all runners that see the same committed data through the same pool. */
  readonly root: Root
  readonly isTransaction: boolean
  /** Of a transaction that begins late: the one that runs its statements now. */
  readonly open?: Runner | undefined
  /** Returns a `Db` for the work of a project, which may use only a share of the connections. */
  forProject?(projectId: string): Db
  /** Sends all statements at once, in order, and waits for all of them, even if one fails. */
  run(statements: readonly Statement<unknown>[]): Promise<Row[][]>
  /** In a transaction, holds statements back until the next `run` or the commit. */
  keep?(statements: readonly Statement<unknown>[]): void
  /** Of a transaction: calls it after the commit, and never if there is none. */
  afterCommit?(run: () => void): void
}

/** Runs statements written as templates. Values are sent as parameters, never as text. */
export interface Db {
  <Rows extends readonly object[] = Row[]>(strings: TemplateStringsArray, ...values: unknown[]): Statement<Rows>
  readonly runner: Runner
}

/** An open transaction. */
export interface Tx extends Db {
  readonly isOpenTransaction: true
}

export function createDb(runner: Runner): Db {
  const tag = (strings: TemplateStringsArray, ...values: unknown[]) => new Statement(runner, strings, values)
  return Object.assign(tag, { runner }) as Db
}

/** A part of a statement. */
export class SqlPart {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

/**
 * A statement that runs when it is awaited, or that becomes part of another one in whose template it is used. It is
 * prepared under a name unless `isPrepared` is false.
 */
export class Statement<T> extends SqlPart implements Promise<T> {
  readonly runner: Runner
  readonly isPrepared: boolean
  readonly #read: ((rows: Row[]) => T) | undefined
  #running: Promise<T> | undefined

  constructor(
    runner: Runner,
    strings: readonly string[],
    values: readonly unknown[],
    isPrepared = true,
    read?: (rows: Row[]) => T,
  ) {
    super(strings, values)
    this.runner = runner
    this.isPrepared = isPrepared
    this.#read = read
  }

  get [Symbol.toStringTag](): string {
    return 'Statement'
  }

  /** Returns a statement that converts the rows of this one. */
  map<U>(turn: (result: T) => U): Statement<U> {
    return new Statement(this.runner, this.strings, this.values, this.isPrepared, (rows) => turn(this.read(rows)))
  }

  read(rows: Row[]): T {
    return this.#read ? this.#read(rows) : (rows as T)
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a statement is what runs it
  then<A = T, B = never>(
    onDone?: ((result: T) => A | PromiseLike<A>) | null,
    onFailed?: ((err: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#running ??= this.#run()
    return this.#running.then(onDone, onFailed)
  }

  catch<B = never>(onFailed?: ((err: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, onFailed)
  }

  finally(onEnded?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnded)
  }

  async #run(): Promise<T> {
    const [rows] = await this.runner.run([this])
    return this.read(rows!)
  }
}

type Results<T extends readonly (Statement<unknown> | undefined)[]> = {
  -readonly [K in keyof T]: T[K] extends Statement<infer R>
    ? R
    : T[K] extends Statement<infer R> | undefined
      ? R | undefined
      : never
}

/**
 * Runs statements in order but sends them together, in one round trip instead of several. If one fails, throws its
 * error after all have ended. Skips undefined.
 */
export async function sendTogether<const T extends readonly (Statement<unknown> | undefined)[]>(
  statements: T,
): Promise<Results<T>> {
  const sent = statements.filter((one) => one !== undefined)
  const rows = sent.length > 0 ? await sent[0]!.runner.run(sent) : []
  let next = 0
  return statements.map((one) => one?.read(rows[next++]!)) as never
}

type ReadInOne<T extends readonly Statement<unknown>[]> = {
  -readonly [K in keyof T]: T[K] extends Statement<infer R> ? R : never
}

/**
 * Combines reads into one statement, which costs PostgreSQL and the driver less than several. For rows of text, numbers
 * and booleans: they travel as JSON.
 */
export function readInOne<const T extends readonly Statement<unknown>[]>(db: Db, reads: T): Statement<ReadInOne<T>> {
  const lists = reads.map((read) => db`coalesce((select json_agg(r) from (${read}) as r), '[]'),`)
  return db<{ lists: Row[][] }[]>`select json_build_array(${lists} null) as lists`.map(
    ([row]) => reads.map((read, index) => read.read(row!.lists[index]!)) as never,
  )
}

/**
 * Runs statements whose results are not needed. They are sent with the next statement of the transaction or with its
 * commit, so they need no round trip. An error fails the statement or commit they were sent with.
 */
export function sendLater(db: Tx, statements: readonly Statement<unknown>[]): void {
  db.runner.keep!(statements)
}

/** Returns the project's share of the pool, or the open transaction. */
export const forProject = (db: Db, projectId: string): Db => db.runner.forProject?.(projectId) ?? db

/** Calls it after the transaction is committed. Outside of a transaction, at once. */
export function afterCommit(db: Db, run: () => void): void {
  if (db.runner.afterCommit) db.runner.afterCommit(run)
  else run()
}

export const isTransaction = (db: Db): db is Tx => db.runner.isTransaction

/** Inserts text into a statement unescaped. Never use it for client input. */
export const raw = (text: string) => new SqlPart([text], [])

/** Converts a value for a parameter of type json or jsonb. */
export const json = (value: unknown): string => JSON.stringify(value)

/** Collects the values of a statement that is built as text and returns `$n` for each. */
export class Values {
  readonly all: unknown[] = []

  add(value: unknown): string {
    return `$${this.all.push(value)}`
  }
}

/**
 * Creates a statement from text with `$1`, `$2` and so on. Write a limit into the text as a number: PostgreSQL keeps a
 * generic plan only if it knows the limit when it plans. Set `prepare` to false for texts that are rarely repeated.
 */
export const query = <R extends object>(db: Db, text: string, values: unknown[], { prepare = true } = {}) =>
  new Statement<R[]>(db.runner, [text], values, prepare)

/**
 * A list for `= any(…)` in a statement that runs often. Given the list itself, PostgreSQL plans again for every list, which
 * takes longer than running; given a subselect, it keeps the plan.
 */
export const listOf = (values: readonly unknown[], type: 'uuid' | 'text' | 'int' | 'bigint') =>
  new SqlPart(['array(select unnest(', `::${type}[]))`], [values])

/** Completes a statement that ends with `id =`, to select rows of a project by ids. */
export function selectByIds<R extends object>(text: string) {
  const one = `${text} $2`
  // As with listOf.
  const many = `${text} any(array(select unnest($2::uuid[])))`
  return (db: Db, projectId: string, ids: string[]) =>
    ids.length === 1 ? query<R>(db, one, [projectId, ids[0]]) : query<R>(db, many, [projectId, ids])
}

/** Escapes `%`, `_` and `\` and returns a LIKE pattern that matches the text anywhere. */
export const likeSubstring = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

export interface Compiled {
  text: string
  values: readonly unknown[]
}

/** Caches the texts of templates without nested parts, which never change. */
const texts = new WeakMap<readonly string[], string>()

/** Numbers the values of a statement and of its nested parts. */
export function compile({ strings, values }: SqlPart): Compiled {
  for (const value of values)
    if (value === undefined) throw new TypeError(`A value is undefined in: ${strings.join('?')}`)
  if (strings.length === 1) return { text: strings[0]!, values }
  if (!values.some(isPart)) {
    let text = texts.get(strings)
    if (text === undefined) {
      text = strings.reduce((before, after, index) => `${before}$${index}${after}`)
      texts.set(strings, text)
    }
    return { text, values }
  }
  const numbered = new Values()
  return { text: append(strings, values, numbered), values: numbered.all }
}

function append(strings: readonly string[], values: readonly unknown[], numbered: Values): string {
  let text = strings[0]!
  for (const [index, value] of values.entries()) {
    if (value instanceof SqlPart) text += appendPart(value, numbered)
    else if (isPart(value)) text += (value as SqlPart[]).map((part) => appendPart(part, numbered)).join(' ')
    else if (value === undefined) throw new TypeError(`A value is undefined in: ${strings.join('?')}`)
    else text += numbered.add(value)
    text += strings[index + 1]!
  }
  return text
}

function appendPart({ strings, values }: SqlPart, numbered: Values): string {
  if (strings.length !== values.length + 1)
    throw new TypeError('A statement made by query() cannot be part of another.')
  return append(strings, values, numbered)
}

const isPart = (value: unknown) =>
  value instanceof SqlPart || (Array.isArray(value) && value.length > 0 && value[0] instanceof SqlPart)
