import { QueryClient } from '@tanstack/react-query'
import { Problem } from './http.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, err) => count < 2 && !(err instanceof Problem && err.status >= 400 && err.status < 500),
    },
  },
})
