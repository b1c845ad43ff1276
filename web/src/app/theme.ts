import { createTheme, type MantineColorSchemeManager } from '@mantine/core'
import { remember, remembered } from '../lib/storage.ts'

export const theme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    Tooltip: { defaultProps: { openDelay: 400, withArrow: false, transitionProps: { duration: 80 } } },
  },
})

type Scheme = 'light' | 'dark' | 'auto'

/** Keeps the choice under the name that the script in the page reads before the first paint. */
export const colorSchemes: MantineColorSchemeManager = {
  get: (fallback) => (remembered('theme') as Scheme | undefined) ?? fallback,
  set: (scheme) => remember('theme', scheme),
  subscribe() {},
  unsubscribe() {},
  clear: () => remember('theme', undefined),
}
