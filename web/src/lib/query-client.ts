import { QueryCache, QueryClient } from '@tanstack/react-query'
import { SlipwayError } from './client.ts'
import { connection } from './connection.ts'
import { signInAgain } from './sign-in-again.ts'

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // What is on the screen belongs to nobody any more. Asking who is signed in is how the sign-in itself begins.
    onError: (err, { queryKey }) => {
      if (err instanceof SlipwayError && err.status === 401 && queryKey[0] !== 'session') signInAgain()
    },
  }),
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
