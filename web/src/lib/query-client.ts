import { QueryClient } from '@tanstack/react-query'
import { SlipwayError } from './client.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // What the browser says about the connection is no reason to wait without a word.
      networkMode: 'always',
      retry: (count, err) => count < 2 && !(err instanceof SlipwayError && err.status >= 400 && err.status < 500),
    },
  },
})
