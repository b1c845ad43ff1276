import type { Readable } from 'node:stream'

declare const ENCODED: unique symbol
/** An answer that is sent as it is. */
export type Encoded = (string | Buffer | Readable) & { readonly [ENCODED]: true }

export const encoded = (answer: string | Buffer | Readable) => answer as Encoded
