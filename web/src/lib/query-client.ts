import { QueryClient } from '@tanstack/react-query'
import { SlipwayError } from './client.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, err) => count < 2 && !(err instanceof SlipwayError && err.status >= 400 && err.status < 500),
    },
  },
})
