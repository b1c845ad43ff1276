import { MOST_CHARACTERS } from '../../schema.ts'

/** A character takes up to four bytes; as many again carry the marks and blocks of a document that is sent as a whole. */
export const MAX_MESSAGE_BYTES = 8 * MOST_CHARACTERS
/** Twice that, because Yjs also keeps a trace of what was deleted. */
export const MAX_STATE_BYTES = 2 * MAX_MESSAGE_BYTES
/** A name, a colour and a cursor. */
export const MAX_AWARENESS_BYTES = 64 * 1024
