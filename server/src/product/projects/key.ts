import { hash, randomBytes } from 'node:crypto'
import type { ProjectRole } from '../../kernel/context.ts'

export const KEY_KINDS = ['external', 'reporting'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

export const KEY_PREFIX: Record<KeyKind, string> = { external: 'sofa-ext-', reporting: 'sf-rpt-' }

const RANK: Record<ProjectRole, number> = { viewer: 0, editor: 1, admin: 2 }
export const isLowerRole = (one: ProjectRole, other: ProjectRole) => RANK[one] < RANK[other]

/** What a key may do: what its owner may, and no more than the key was made for. */
export const roleOfKey = (owner: ProjectRole, key: ProjectRole | null) =>
  key !== null && isLowerRole(key, owner) ? key : owner

export const hashKey = (key: string) => hash('sha256', key, 'hex')

export const generateKey = (kind: KeyKind) => KEY_PREFIX[kind] + randomBytes(32).toString('base64url')

/** An origin as browsers send it: scheme, host and port, nothing after. Undefined if the text is not one. */
export function readOrigin(text: string): string | undefined {
  const origin = text.trim()
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  return url && /^https?:$/.test(url.protocol) && url.origin === origin.toLowerCase() ? url.origin : undefined
}
