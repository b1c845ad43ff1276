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

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: async ({ signal }) => (await clientOf().session.getOptions({ signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
})

export const signIn = async (email: string, password: string): Promise<Session> =>
  (await clientOf().session.signIn({ email, password })).data

export const signOut = () => clientOf().session.signOut()

/** Leaves the page for that of the identity provider. */
export async function startSingleSignOn(body: { next?: string; invitation_token?: string }): Promise<void> {
  location.assign((await clientOf().session.startSingleSignOn(body)).data.url)
}
