import { createHmac, randomBytes } from 'node:crypto'

/** Returns a secret in the format of Standard Webhooks. */
export const generateSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** Returns the signature that Standard Webhooks defines for a message. */
export function signMessage(secret: string, id: string, timestamp: string | number, body: string | Buffer): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}
