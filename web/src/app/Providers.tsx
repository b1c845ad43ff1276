import './styles.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { queryClient } from '../lib/query-client.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { colorSchemes, theme } from './theme.ts'

/** What the parts of the app need around them. */
export const Providers = ({ children }: { children: ReactNode }) => (
  <StrictMode>
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        {children}
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>
)
