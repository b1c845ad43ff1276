import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { reasonOf } from '../lib/outbox/write.ts'
import { queryClient } from '../lib/query-client.ts'
import { type Session, sessionQuery } from '../lib/session.ts'
import { showToast } from '../lib/toasts.ts'
import { Button } from '../ui/Button.tsx'
import { Field, PasswordField } from '../ui/fields.tsx'
import { IconChevronLeft, IconDeviceDesktop, IconMoon, IconSun } from '../ui/icons.ts'
import css from './Account.module.css'
import { accountQuery } from './api.ts'
import { ConnectedApps } from './ConnectedApps.tsx'
import { changePassword, renameAccount } from './edits.ts'
import { OwnSessions } from './OwnSessions.tsx'
import { SettingsPage } from './SettingsPage.tsx'

/** Inside the frame of a project. */
export function AccountPage() {
  return (
    <SettingsPage title="Account" lead="These settings are yours, in every project.">
      <AccountSettings />
    </SettingsPage>
  )
}

/** For someone who is in no project. */
export function BareAccountPage() {
  return (
    <main className={css.bare}>
      <Link to="/" className={css.back}>
        <IconChevronLeft size={16} /> Back
      </Link>
      <h1 className={css.title}>Account</h1>
      <AccountSettings />
    </main>
  )
}

function AccountSettings() {
  const { data: account, error } = useQuery(accountQuery)
  if (error && !account) throw error
  if (!account) return null
  return (
    <div className={css.sections}>
      <NameForm name={account.display_name} email={account.email} />
      {account.has_password ? (
        <PasswordForm />
      ) : (
        <section className={css.section}>
          <h2 className={css.heading}>Password</h2>
          <p className={css.text}>
            {account.has_single_sign_on
              ? 'You sign in with single sign-on and have no password here.'
              : 'You have none.'}
          </p>
        </section>
      )}
      <OwnSessions />
      <ConnectedApps />
      <Theme />
    </div>
  )
}

function NameForm({ name, email }: { name: string; email: string }) {
  const router = useRouter()
  const [text, setText] = useState(name)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!text.trim()) return setFault('Enter your name.')
    setBusy(true)
    setFault(undefined)
    const outcome = await renameAccount('', { display_name: text.trim() })
    if (outcome.state === 'saved') {
      const { display_name } = outcome.answer
      queryClient.setQueryData(
        sessionQuery.queryKey,
        (session: Session | undefined) => session && { ...session, user: { ...session.user, display_name } },
      )
      queryClient.setQueryData(accountQuery.queryKey, (before) => before && { ...before, display_name })
      await router.invalidate()
      showToast({ text: `You are ${display_name} now.` })
    } else if (outcome.state === 'failed') setFault(reasonOf(outcome.fault))
    setBusy(false)
  }
  return (
    <form className={css.section} onSubmit={submit} noValidate>
      <h2 className={css.heading}>Profile</h2>
      <Field label="Name" autoComplete="name" maxLength={200} value={text} fault={fault} onChange={setText} />
      <Field
        label="E-mail"
        value={email}
        readOnly
        hint="The operator of this server changes addresses."
        onChange={() => undefined}
      />
      <Button type="submit" busy={busy} disabled={text.trim() === name}>
        Save
      </Button>
    </form>
  )
}

type Faults = { current_password?: string; password?: string }

function PasswordForm() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [busy, setBusy] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!current) return setFaults({ current_password: 'Enter your current password.' })
    if (!next) return setFaults({ password: 'Choose a new password.' })
    setBusy(true)
    setFaults({})
    const outcome = await changePassword('', { current_password: current, password: next })
    if (outcome.state === 'saved') {
      setCurrent('')
      setNext('')
      const others = outcome.answer.sessions_ended
      const ended = others === 0 ? '' : ` ${others} other ${others === 1 ? 'session' : 'sessions'} ended.`
      showToast({ text: `Your password is changed.${ended}` })
    } else if (outcome.state === 'failed') {
      const { fault } = outcome
      setFaults({ [fault.named?.pointer.slice(1) ?? 'current_password']: reasonOf(fault) })
    }
    setBusy(false)
  }
  return (
    <form className={css.section} onSubmit={submit} noValidate>
      <h2 className={css.heading}>Password</h2>
      <p className={css.text}>Changing it ends your other sessions. This one stays.</p>
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        value={current}
        fault={faults.current_password}
        onChange={setCurrent}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        value={next}
        hint="At least 8 characters."
        fault={faults.password}
        onChange={setNext}
      />
      <Button type="submit" busy={busy}>
        Change password
      </Button>
    </form>
  )
}

const SCHEMES = [
  ['auto', 'System', IconDeviceDesktop],
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
] as const

function Theme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <fieldset className={css.section}>
      <legend className={css.heading}>Theme</legend>
      <p className={css.text}>On this device.</p>
      <div className={css.schemes}>
        {SCHEMES.map(([value, label, Sign]) => (
          <label key={value} className={css.scheme} data-checked={colorScheme === value || undefined}>
            <input
              type="radio"
              name="theme"
              className="sr-only"
              checked={colorScheme === value}
              onChange={() => setColorScheme(value)}
            />
            <Sign size={16} stroke={1.75} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
