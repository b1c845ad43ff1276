import { hash, randomBytes } from 'node:crypto'
import type { ProjectRole } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import { invitationEvents } from '../events.ts'

export interface Invitation {
  id: string
  project_id: string
  role: ProjectRole
  /** Only this person may use it. Null: anyone who has the link. */
  email: string | null
  max_uses: number
  uses: number
  invited_by: string
  created_at: string
  expires_at: string
  revoked_at: string | null
  /** By the database's clock. */
  is_expired: boolean
}

export const generateToken = () => randomBytes(32).toString('base64url')
export const hashToken = (token: string) => hash('sha256', token, 'hex')

/** Why nobody can use the invitation any more. */
export function refusalOf(invitation: Invitation | undefined): AppError | undefined {
  if (!invitation) return gone(404, 'invitation_unknown', 'There is no such invite link. Check that it is complete.')
  if (invitation.revoked_at !== null) return gone(410, 'invitation_revoked', 'This invite link was revoked.')
  if (invitation.uses >= invitation.max_uses)
    return gone(410, 'invitation_used', 'This invite link has been used already.')
  if (invitation.is_expired) return gone(410, 'invitation_expired', 'This invite link has expired.')
  return undefined
}

const gone = (status: number, code: string, what: string) =>
  new AppError(status, code, `${what} Ask the person who sent it for a new one.`)

export const forSomeoneElse = (email: string) =>
  new AppError(403, 'invitation_for_someone_else', `This invitation is for ${email}. Sign in with that address.`)

export const invitationEvent = (what: keyof typeof invitationEvents, invitation: Invitation) => {
  const { id, role, email, max_uses, expires_at } = invitation
  return invitationEvents[what](id, { role, email, max_uses, expires_at })
}
