/** A write on its way to the server. It can be stored, so that it survives a reload. */
export interface Write<Input = unknown> {
  id: string
  /** Sent as the `Idempotency-Key`. */
  key: string
  kind: string
  /** As its kind says. */
  waits: boolean
  /** Empty for what belongs to the person and not to a project. */
  projectId: string
  input: Input
  /** In words: "WO-41 to In review". */
  text: string
  /** The ids of what it changes. */
  subjects: string[]
  /** Which part of that, in one word: "status", "comment", "description". */
  part: string
  at: number
  /** `conflict`: somebody else changed the same text. */
  state: 'waiting' | 'sending' | 'failed' | 'conflict'
  attempts: number
  fault?: Fault | undefined
  theirs?: Theirs | undefined
  /** The text with which a person began to settle a conflict. */
  merged?: string | undefined
}

export interface Fault {
  message: string
  /** The HTTP status. 0 if there was no answer. */
  status: number
  code?: string | undefined
  requestId: string | undefined
  at: number
  /** The first field that is wrong, and why. */
  named?: { pointer: string; detail: string }
}

/** What is wrong, in words: with one field, or else with the whole. */
export const reasonOf = ({ named, message }: Fault) => named?.detail ?? message

/** The server repeats its answer to a key that it has answered for good. Otherwise, an earlier attempt may have been saved. */
export const isFinal = ({ status, code }: Fault) =>
  status >= 400 && status < 500 && status !== 429 && code !== 'idempotency_in_flight'

/** What the server has instead of the text that a write started from. */
export interface Theirs {
  text: string
  etag: string | undefined
  /** Who wrote it, if that is known. */
  by?: string | undefined
  /** What is stored with the text and must stay as it is there. */
  beside?: unknown
}

export interface WriteKind<Input, Answer> {
  /** Stored with writes that wait, so it must stay the same. */
  name: string
  /**
   * True: it waits for the connection, also through a reload, and stays in the outbox if it is refused. False: it is sent
   * now or not at all, because nobody expects it later, such as a change of somebody's access.
   */
  waits: boolean
  /** Only what waits needs words. */
  about(input: Input): Pick<Write, 'subjects'> & { text?: string; part?: string }
  /** What a person wrote in it, to copy if it can never be sent. */
  words?(input: Input): (string | null | undefined)[]
  /** Sends it. Pass `key` on as `idempotencyKey`. */
  send(input: Input, call: { projectId: string; key: string }): Promise<Answer>
  /** Shows it in the cache as if it were saved. It is called again whenever newer data arrives meanwhile. */
  show?(input: Input, projectId: string): void
  /** Shows again what was there before, because it was refused or discarded. */
  hide?(input: Input, projectId: string): void
  /** After it was saved. `waited` is true if it could not be sent at first. */
  saved?(answer: Answer, input: Input, about: { projectId: string; waited: boolean }): void
  /** What a message says after it was refused, with Retry. Without it, the page shows what is wrong. */
  failure?(input: Input): string
  /** How to compare texts when the server answers 412. */
  comparison?: Comparison<Input>
}

export interface Comparison<Input> {
  /** What both texts are: "Description of WO-41". */
  title(input: Input): string
  /** The text before the change, and after it. */
  base(input: Input): string
  mine(input: Input): string
  read(input: Input, projectId: string): Promise<Theirs>
  /** The same write with another text, based on what the server has now. */
  rebased(input: Input, text: string, theirs: Theirs): Input
  /** Shows what the server has, because the write was given up for it. */
  showTheirs(input: Input, theirs: Theirs, projectId: string): void
}

/** What became of an attempt. A kind that waits stays in the outbox until it is saved or discarded. */
export type Outcome<Answer> =
  | { state: 'saved'; answer: Answer }
  | { state: 'waiting' | 'conflict'; id: string }
  /** `retry` sends it again and shows it again. */
  | { state: 'failed'; id: string; fault: Fault; retry(): Promise<Outcome<Answer>> }
