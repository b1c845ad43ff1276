import type { components } from './generated/api.ts'

export type Schemas = components['schemas']
type Operations = Schemas['Operations']
export type OperationId = keyof Operations

declare const ID: unique symbol
/** The method and the path of an operation. */
export type Operation<Id extends OperationId> = string & { readonly [ID]: Id }

/** What came with an answer besides its body. */
export interface Meta {
  status: number
  /** Send it back as `ifMatch` to write only if nothing changed since. */
  etag: string | undefined
  requestId: string | undefined
  /** True if the server had carried out this request before and repeats its answer. */
  isReplayed: boolean
  /** The fields of the body that the server does not know. */
  ignoredFields: string[]
}

export interface UploadProgress {
  sentBytes: number
  /** Undefined for a stream, whose end nobody knows. */
  totalBytes: number | undefined
}

export interface Options {
  signal?: AbortSignal | undefined
  /** For each attempt. 0 waits forever, which is the default for uploads. */
  timeoutMs?: number | undefined
  /** How often a failed request is sent again. */
  retries?: number | undefined
  /** Writes only if the thing still has this entity tag. Otherwise the server answers 412. */
  ifMatch?: string | undefined
  /** For a POST. Without it, the client makes one up. */
  idempotencyKey?: string | undefined
  /** For uploads. Called while the file is sent. */
  onProgress?: ((progress: UploadProgress) => void) | undefined
  /** For downloads, such as `bytes=0-99`. */
  range?: string | undefined
}

/** Lets callers pass `undefined` for what they leave out. */
type Loose<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] }

type Part<Id extends OperationId, Name extends string> = Operations[Id] extends Record<Name, infer P> ? P : never
type Path<Id extends OperationId> = Part<Id, 'path'>
export type Query<Id extends OperationId> = Loose<Part<Id, 'query'>>
export type Body<Id extends OperationId> = Loose<Part<Id, 'body'>>
type Answer<Id extends OperationId> = Part<Id, 'answer'>

/** The body of the answer, and `meta`. */
export type Result<Id extends OperationId> = ([Answer<Id>] extends [never] ? object : Answer<Id>) & { meta: Meta }

/** An event of a stream: a union by `event`. */
export type StreamEvent<Id extends OperationId> = Part<Id, 'event'> & { id?: string }

/** The operations whose answer is the content of a file. */
export interface Download {
  response: Response
  meta: Meta
}

type PathInput<Id extends OperationId> = [Path<Id>] extends [never] ? object : { path: Path<Id> }
export type Input<Id extends OperationId> = PathInput<Id> & {
  query?: object
  body?: Body<Id> | undefined
  /** Instead of `body`. */
  form?: Upload
}

export interface Upload {
  fields: Record<string, string | undefined>
  /** Can be read again, and so sent again, unless it is a stream. */
  file: Blob | ReadableStream<Uint8Array>
  name: string
  type?: string | undefined
}

/** Sends requests. Each method of a resource makes exactly one call. */
export interface Call {
  <Id extends OperationId>(operation: Operation<Id>, input: Input<Id>, options?: Options): Promise<Result<Id>>
  download<Id extends OperationId>(operation: Operation<Id>, input: Input<Id>, options?: Options): Promise<Download>
  stream<Id extends OperationId>(
    operation: Operation<Id>,
    input: Input<Id>,
    options?: FollowOptions,
  ): AsyncGenerator<StreamEvent<Id>>
  /** The address of a GET that a browser can open by itself, such as that of a picture. */
  urlOf<Id extends OperationId>(operation: Operation<Id>, input: Input<Id>): string
}

export interface FollowOptions {
  signal?: AbortSignal | undefined
  /** Continues after this event. */
  lastEventId?: string | undefined
  /** Says when the stream is connected, and when it waits to connect again. */
  onState?: ((state: 'open' | 'waiting') => void) | undefined
}
