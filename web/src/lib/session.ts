import type { Session } from '@slipway/sdk'
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from './client.ts'

export type { Session }
export type Project = Session['projects'][number]

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await clientOf().session.get({ signal })).data,
  staleTime: 5 * 60_000,
  retry: false,
})

export const signIn = async (email: string, password: string): Promise<Session> =>
  (await clientOf().session.signIn({ email, password })).data

export const signOut = () => clientOf().session.signOut()
