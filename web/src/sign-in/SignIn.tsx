import { useMantineColorScheme } from '@mantine/core'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { queryClient } from '../lib/query-client.ts'
import { sessionQuery, signIn } from '../lib/session.ts'
import { IconDeviceDesktop, IconEye, IconEyeOff, IconMoon, IconSun, IconTerminal2 } from '../ui/icons.ts'
import { Logo } from '../ui/Logo.tsx'
import css from './SignIn.module.css'
import { Waves } from './Waves.tsx'

export function SignIn() {
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const router = useRouter()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [shown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
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
    <main className={css.page}>
      <Waves />
      <div className={css.card}>
        <form className={css.form} onSubmit={submit} noValidate>
          <Logo />
          <h1 className={css.title}>Sign in to Slipway</h1>
          <p className={css.lead}>
            Requirements, blueprints, work and
            <br />
            feedback in one place, on your own server.
          </p>
          <label className={css.label} htmlFor="email">
            E-mail
          </label>
          <input
            id="email"
            type="email"
            // biome-ignore lint/a11y/noAutofocus: the page has one purpose.
            autoFocus
            autoComplete="username"
            className={css.input}
            value={email}
            aria-invalid={fault?.field === 'email'}
            aria-describedby={fault?.field === 'email' ? 'fault' : undefined}
            onChange={(event) => setEmail(event.target.value)}
          />
          {fault?.field === 'email' && <Fault text={fault.text} />}
          <label className={css.label} htmlFor="password">
            Password
          </label>
          <div className={css.secret}>
            <input
              id="password"
              type={shown ? 'text' : 'password'}
              autoComplete="current-password"
              className={cx(css.input, !shown && css.dots)}
              value={password}
              aria-invalid={fault?.field === 'password'}
              aria-describedby={fault?.field === 'password' ? 'fault' : undefined}
              onChange={(event) => setPassword(event.target.value)}
            />
            <button
              type="button"
              className={css.eye}
              aria-label={shown ? 'Hide the password' : 'Show the password'}
              onClick={() => setShown(!shown)}
            >
              {shown ? <IconEyeOff size={17} stroke={1.75} /> : <IconEye size={17} stroke={1.75} />}
            </button>
          </div>
          {fault?.field === 'password' && <Fault text={fault.text} />}
          <button type="submit" className={css.submit} aria-busy={busy}>
            {busy ? 'Signing in…' : 'Sign in'}
          </button>
        </form>
        <FirstTime />
      </div>
      <footer className={css.foot}>
        <span className={css.footItem}>
          <span className={css.live} />
          Slipway
        </span>
        <ThemeSwitch />
      </footer>
    </main>
  )
}

function Fault({ text }: { text: string }) {
  return (
    <p id="fault" className={css.fault} role="alert">
      {text}
    </p>
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

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const
const SCHEMES = {
  auto: ['System theme', IconDeviceDesktop],
  light: ['Light theme', IconSun],
  dark: ['Dark theme', IconMoon],
} as const

function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [name, Sign] = SCHEMES[colorScheme]
  return (
    <button type="button" className={css.footItem} onClick={() => setColorScheme(NEXT[colorScheme])}>
      <Sign size={16} stroke={1.75} />
      {name}
    </button>
  )
}
