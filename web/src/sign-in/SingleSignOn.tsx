import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { signInOptionsQuery, startSingleSignOn } from '../lib/session.ts'
import { IconShieldLock } from '../ui/icons.ts'
import css from './Entry.module.css'

interface Props {
  next?: string | undefined
  invitationToken?: string
}

/** The way in through the identity provider, where there is one. */
export function SingleSignOn({ next, invitationToken }: Props) {
  const provider = useQuery(signInOptionsQuery).data?.single_sign_on
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  if (!provider) return null
  const start = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      await startSingleSignOn({
        ...(next !== undefined && { next }),
        ...(invitationToken !== undefined && { invitation_token: invitationToken }),
      })
    } catch (err) {
      setFault((err as Error).message)
      setBusy(false)
    }
  }
  return (
    <>
      <div className={css.or}>or</div>
      <button type="button" className={css.other} aria-busy={busy || undefined} disabled={busy} onClick={start}>
        <IconShieldLock size={17} stroke={1.75} />
        Continue with {provider.name}
      </button>
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
    </>
  )
}

const ASK = 'Ask an admin of your project for an invite link.'
const REFUSALS: Record<string, string> = {
  signup_disabled: `You are not a member here yet. ${ASK}`,
  email_not_verified: 'Your identity provider has not verified your e-mail address. Verify it there, then try again.',
  email_not_found: 'Your identity provider did not say what your e-mail address is. Tell the operator.',
  account_not_linked:
    'There is an account with your address, but nobody has confirmed that it is yours. Sign in with its password.',
  access_denied: 'You did not sign in there. Try again, or use your password.',
  state_mismatch: 'That took too long, or began in another tab. Try again.',
  invitation_expired: `The invitation has expired. ${ASK}`,
  invitation_revoked: `The invitation was revoked. ${ASK}`,
  invitation_used: `The invitation has been used already. ${ASK}`,
  invitation_for_someone_else: 'The invitation is for another address than the one you signed in with.',
}

/** Why the way back from the identity provider ended here. */
export const refusalOf = (code: string) => REFUSALS[code] ?? 'Single sign-on failed. Try again, or use your password.'
