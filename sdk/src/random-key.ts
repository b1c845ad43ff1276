/** A new random key. `crypto.randomUUID` exists only on HTTPS and localhost, and a browser may use neither. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
