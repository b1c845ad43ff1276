import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { signInOptionsQuery } from '../lib/session.ts'
import { IconDeviceDesktop, IconMoon, IconSun } from '../ui/icons.ts'
import { Logo } from '../ui/Logo.tsx'
import css from './Entry.module.css'
import { PlainHttp, useSecureAddress } from './PlainHttp.tsx'
import { Waves } from './Waves.tsx'

/** The page around everything that one sees before one is in. */
export function Entry({ children, below }: { children: ReactNode; below?: ReactNode }) {
  const secureAddress = useSecureAddress()
  return (
    <main className={css.page}>
      <Waves />
      <div className={css.card}>
        <div className={css.body}>
          {secureAddress ? (
            <>
              <Logo />
              <h1 className={css.title}>Open Slipway with HTTPS</h1>
              <PlainHttp address={secureAddress} />
            </>
          ) : (
            children
          )}
        </div>
        {!secureAddress && below}
      </div>
      <footer className={css.foot}>
        <State />
        <span className={css.footEnd}>
          <a className={css.footItem} href="/docs/web">
            Documentation
          </a>
          <a className={css.footItem} href="/docs">
            API reference
          </a>
          <ThemeSwitch />
        </span>
      </footer>
    </main>
  )
}

const readiness = {
  queryKey: ['ready'],
  queryFn: async () => (await fetch('/readyz')).ok,
  refetchInterval: 30_000,
  retry: false,
}

function State() {
  const version = useQuery(signInOptionsQuery).data?.version
  const { data: isReady, isError } = useQuery(readiness)
  const isDown = isError || isReady === false
  return (
    <span className={css.footItem}>
      <span className={cx(css.dot, isDown && css.down)} />
      Slipway {version}
      {isDown ? ' · not ready' : isReady && ' · all systems ready'}
    </span>
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
