import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { usePageTitle } from '../lib/page-title.ts'
import { queryClient } from '../lib/query-client.ts'
import { sessionQuery, signIn } from '../lib/session.ts'
import { Field, PasswordField, Submit } from '../ui/fields.tsx'
import { IconAlertCircle, IconTerminal2 } from '../ui/icons.ts'
import { Logo } from '../ui/Logo.tsx'
import css from './Entry.module.css'
import { Entry } from './Entry.tsx'
import { refusalOf, SingleSignOn } from './SingleSignOn.tsx'

export function SignIn() {
  const { next, error } = useSearch({ from: '/sign-in' })
  usePageTitle('Sign in')
  return (
    <Entry below={<FirstTime />}>
      <Logo />
      <h1 className={css.title}>Sign in to Slipway</h1>
      <p className={css.lead}>
        Requirements, blueprints, work and
        <br />
        feedback in one place, on your own server.
      </p>
      {error && (
        <p className={css.refusal} role="alert">
          <IconAlertCircle size={16} stroke={1.75} />
          {refusalOf(error)}
        </p>
      )}
      <PasswordForm next={next} />
      <SingleSignOn next={next} />
    </Entry>
  )
}

function PasswordForm({ next }: { next: string | undefined }) {
  const navigate = useNavigate()
  const router = useRouter()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [isForgotten, setForgotten] = useState(false)
  const [fault, setFault] = useState<{ field: 'email' | 'password'; text: string }>()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (!email.trim()) return setFault({ field: 'email', text: 'Enter your e-mail address.' })
    if (!password) return setFault({ field: 'password', text: 'Enter your password.' })
    setFault(undefined)
    setBusy(true)
    try {
      queryClient.setQueryData(sessionQuery.queryKey, await signIn(email.trim(), password))
      await (next ? router.history.push(next) : navigate({ to: '/' }))
    } catch (err) {
      setFault({ field: 'password', text: (err as Error).message })
      setBusy(false)
    }
  }

  return (
    <form className={css.form} onSubmit={submit} noValidate>
      <Field
        label="E-mail"
        type="email"
        autoFocus
        autoComplete="username"
        value={email}
        fault={fault?.field === 'email' ? fault.text : undefined}
        onChange={(value) => {
          setEmail(value)
          setFault(undefined)
        }}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        value={password}
        fault={fault?.field === 'password' ? fault.text : undefined}
        onChange={(value) => {
          setPassword(value)
          setFault(undefined)
        }}
        aside={
          <button
            type="button"
            className={css.link}
            aria-expanded={isForgotten}
            onClick={() => setForgotten(!isForgotten)}
          >
            Forgot password?
          </button>
        }
      />
      {isForgotten && (
        <p className={css.help}>
          Ask the person who runs this server for a new one. They get it with
          <code>npm run -s admin -- user reset-password --email you@…</code>
        </p>
      )}
      <Submit busy={busy}>{busy ? 'Signing in…' : 'Sign in'}</Submit>
    </form>
  )
}

function FirstTime() {
  return (
    <div className={css.first}>
      <IconTerminal2 size={17} stroke={1.75} className={css.firstIcon} />
      <div className={css.firstText}>
        <strong>First time here?</strong>
        <p>Use the sign-in printed by the first start.</p>
        <pre className={css.terminal}>
          <span className={css.dim}>$</span> npm start{'\n'}
          <span className={css.dim}>sign in</span>
          {'  e-mail, password  '}
          <span className={css.once}>shown once</span>
        </pre>
      </div>
    </div>
  )
}
