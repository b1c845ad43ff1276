import { MARKDOWN_LENGTH } from '../../../kernel/http/schema.ts'

/** A character takes up to four bytes. Doubled to leave room for the marks and blocks of a whole document. */
export const MAX_MESSAGE_BYTES = 8 * MARKDOWN_LENGTH
/** Doubled again, because Yjs also keeps tombstones of deleted content. */
export const MAX_STATE_BYTES = 2 * MAX_MESSAGE_BYTES
/** A name, a colour and a cursor. */
export const MAX_AWARENESS_BYTES = 64 * 1024
