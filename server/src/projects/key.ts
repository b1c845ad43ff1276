import { hash, randomBytes } from 'node:crypto'

export const KEY_KINDS = ['external', 'reporting'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

export const KEY_PREFIX: Record<KeyKind, string> = { external: 'sofa-ext-', reporting: 'sf-rpt-' }

export const hashKey = (key: string) => hash('sha256', key, 'hex')

export const generateKey = (kind: KeyKind) => KEY_PREFIX[kind] + randomBytes(32).toString('base64url')
