/**
 * Names how signatures are made, to be changed with the rules in `signature.ts`: one that was made differently counts as
 * missing. Upper and lower case depend on the version of Unicode, which comes with Node.
 */
export const SIGNATURE_FORMAT = `1, Unicode ${process.versions.unicode}`

/** A trigram stands at two places of a signature, of which the lower bits count, as many as it has. */
export const placesOf = (key: number): [number, number] => [key, Math.imul(key, 0x9e3779b1) >>> 12]
