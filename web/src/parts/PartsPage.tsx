import { useMantineColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Segments } from '../ui/Segments.tsx'
import { Controls } from './controls.tsx'
import { Lists } from './lists.tsx'
import { Overlays } from './overlays.tsx'
import css from './Parts.module.css'
import { Panels } from './panels.tsx'
import { Places } from './places.tsx'
import { Signs } from './signs.tsx'
import { Texts } from './texts.tsx'
import { Trees } from './trees.tsx'

const SCHEMES = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** All shared parts in all their states. */
export function PartsPage() {
  const page = useRef<HTMLElement>(null)
  // Lists and fields take the focus, some after a second drawing, which would scroll to them.
  useEffect(() => void requestAnimationFrame(() => page.current?.scrollTo(0, 0)), [])
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <main ref={page} className={css.page}>
      <header className={css.head}>
        <h1>Parts</h1>
        <Segments label="Theme" options={SCHEMES} value={colorScheme} onChange={setColorScheme} />
      </header>
      <Controls />
      <Overlays />
      <Signs />
      <Places />
      <Lists />
      <Trees />
      <Panels />
      <Texts />
    </main>
  )
}
