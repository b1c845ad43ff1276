import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encrypts a third-party secret so the database alone does not reveal it: AES-256-GCM with a key derived from that of
 * the installation. `where` names its owner and is authenticated, so the result cannot be moved to another owner.
 */
export function seal(secretKey: string, where: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), nonce).setAAD(Buffer.from(where))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Returns undefined if it was encrypted with another key or for another owner. */
export function unseal(secretKey: string, where: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const opener = createDecipheriv('aes-256-gcm', keyOf(secretKey), bytes.subarray(0, 12))
      .setAAD(Buffer.from(where))
      .setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([opener.update(bytes.subarray(28)), opener.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Returns a key for signing that all nodes share and that is not in the database. Each purpose has its own. */
export const signingKey = (secretKey: string, purpose: string) =>
  derive(secretKey, `slipway ${purpose}`).toString('base64url')

const keyOf = (secretKey: string) => derive(secretKey, 'slipway credentials')
const derive = (secretKey: string, label: string) => Buffer.from(hkdfSync('sha256', secretKey, '', label, 32))
