import type { OpenedInvitation } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { callOf, SlipwayError } from '../lib/client.ts'
import { queryClient } from '../lib/query-client.ts'
import { type Session, sessionQuery, signIn, signOut } from '../lib/session.ts'
import { Avatar } from '../people/Avatar.tsx'
import { Field, PasswordField, Submit } from '../ui/fields.tsx'
import { IconAlertCircle } from '../ui/icons.ts'
import { Logo } from '../ui/Logo.tsx'
import css from './Entry.module.css'
import { Entry } from './Entry.tsx'
import { refusalOf, SingleSignOn } from './SingleSignOn.tsx'

const MAY = { admin: 'an admin', editor: 'an editor', viewer: 'a viewer' }

/** What an invite link opens. */
export function Invite() {
  const { token } = useParams({ from: '/invite/$token' })
  const { error } = useSearch({ from: '/invite/$token' })
  const opened = useQuery({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) => (await api.session(callOf()).openInvitation({ token }, { signal })).data,
    retry: false,
  })
  const session = useQuery(sessionQuery)
  const invitation = opened.data
  if (opened.isError) return <Closed err={opened.error} />
  if (!invitation || session.isPending) return <Entry>{null}</Entry>
  return (
    <Entry>
      <Logo />
      <h1 className={css.title}>Join {invitation.project.name}</h1>
      <p className={css.lead}>
        {invitation.invited_by.display_name} of {invitation.organization.name}
        <br />
        invites you to be {MAY[invitation.role]}.
      </p>
      {error && <Refusal>{refusalOf(error)}</Refusal>}
      {session.data ? (
        <AsMyself token={token} invitation={invitation} session={session.data} />
      ) : (
        <>
          <Newcomer token={token} invitation={invitation} />
          <SingleSignOn invitationToken={token} />
        </>
      )}
    </Entry>
  )
}

const Refusal = ({ children }: { children: ReactNode }) => (
  <p className={css.refusal} role="alert">
    <IconAlertCircle size={16} stroke={1.75} />
    {children}
  </p>
)

function Closed({ err }: { err: Error }) {
  const isGone = err instanceof SlipwayError && [404, 410].includes(err.status)
  return (
    <Entry>
      <Logo />
      <h1 className={css.title}>{isGone ? 'This link does not work' : 'Something went wrong'}</h1>
      <p className={css.lead} role="alert">
        {err.message}
      </p>
      <Link to="/" className={css.other}>
        Go to the sign-in
      </Link>
    </Entry>
  )
}

/** Accepts and opens the project. */
function useAccept(token: string) {
  const navigate = useNavigate()
  return async (newcomer?: { display_name: string; email: string; password: string }) => {
    const { data } = await api.session(callOf()).acceptInvitation({ token, ...(newcomer && { newcomer }) })
    queryClient.setQueryData(sessionQuery.queryKey, data.session)
    await navigate({ to: '/p/$projectId', params: { projectId: data.project_id } })
  }
}

interface Props {
  token: string
  invitation: OpenedInvitation
}

function AsMyself({ token, invitation, session }: Props & { session: Session }) {
  const accept = useAccept(token)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const { id, display_name: name, email } = session.user
  const isForOther = invitation.email !== null && invitation.email !== email.toLowerCase()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await accept()
    } catch (err) {
      setFault((err as Error).message)
      setBusy(false)
    }
  }
  const leave = async () => {
    await signOut()
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
    location.reload()
  }
  return (
    <form className={css.form} onSubmit={submit}>
      <div className={css.me}>
        <Avatar person={{ id, name, email }} size={28} />
        <div className={css.grow}>
          <strong>{name}</strong>
          <p>{email}</p>
        </div>
        <button type="button" className={css.link} onClick={leave}>
          Not you?
        </button>
      </div>
      {isForOther ? (
        <Refusal>This invitation is for {invitation.email}. Sign in with that address.</Refusal>
      ) : (
        <Submit busy={busy}>{busy ? 'Joining…' : `Join as ${name}`}</Submit>
      )}
      {fault && <Refusal>{fault}</Refusal>}
    </form>
  )
}

type Faults = Partial<Record<'display_name' | 'email' | 'password', string>>

function Newcomer({ token, invitation }: Props) {
  const accept = useAccept(token)
  const [hasAccount, setHasAccount] = useState(invitation.has_account)
  const [name, setName] = useState('')
  const [email, setEmail] = useState(invitation.email ?? '')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [faults, setFaults] = useState<Faults>({})

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const missing: Faults = {
      ...(!hasAccount && !name.trim() && { display_name: 'Enter your name.' }),
      ...(!email.trim() && { email: 'Enter your e-mail address.' }),
      ...(!password && { password: hasAccount ? 'Enter your password.' : 'Choose a password.' }),
    }
    setFaults(missing)
    if (Object.keys(missing).length > 0) return
    setBusy(true)
    try {
      if (hasAccount) {
        queryClient.setQueryData(sessionQuery.queryKey, await signIn(email.trim(), password))
        await accept()
      } else await accept({ display_name: name.trim(), email: email.trim(), password })
    } catch (err) {
      setFaults(faultsOf(err as Error))
      setBusy(false)
    }
  }

  return (
    <form className={css.form} onSubmit={submit} noValidate>
      {!hasAccount && (
        <Field
          label="Your name"
          autoFocus
          autoComplete="name"
          value={name}
          fault={faults.display_name}
          onChange={setName}
        />
      )}
      <Field
        label="E-mail"
        type="email"
        autoComplete="username"
        value={email}
        readOnly={invitation.email !== null}
        fault={faults.email}
        onChange={setEmail}
      />
      <PasswordField
        label={hasAccount ? 'Password' : 'Choose a password'}
        autoComplete={hasAccount ? 'current-password' : 'new-password'}
        value={password}
        fault={faults.password}
        hint={hasAccount ? undefined : 'At least 8 characters.'}
        onChange={setPassword}
      />
      <Submit busy={busy}>{busy ? 'Joining…' : hasAccount ? 'Sign in and join' : 'Join the project'}</Submit>
      <button type="button" className={css.switch} onClick={() => setHasAccount(!hasAccount)}>
        {hasAccount ? 'I have no account yet' : 'I have an account already'}
      </button>
    </form>
  )
}

function faultsOf(err: Error): Faults {
  const named = err instanceof SlipwayError ? err.errors : []
  const faults = Object.fromEntries(named.map(({ pointer, detail }) => [pointer.split('/').at(-1)!, detail])) as Faults
  return Object.keys(faults).some((field) => ['display_name', 'email', 'password'].includes(field))
    ? faults
    : { password: err.message }
}
