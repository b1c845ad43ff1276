import { QueryClient } from '@tanstack/react-query'
import { SlipwayError } from './client.ts'
import { connection } from './connection.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // What the browser says about the connection is no reason to wait without a word.
      networkMode: 'always',
      retry: (count, err) => {
        const status = err instanceof SlipwayError ? err.status : undefined
        // What failed while the server is away is asked for again once it is back.
        if (status === 0 && !connection.get().isOnline) return false
        return count < 2 && !(status !== undefined && status >= 400 && status < 500)
      },
    },
  },
})

connection.subscribe(() => {
  if (connection.get().isOnline)
    void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error', type: 'active' })
})
