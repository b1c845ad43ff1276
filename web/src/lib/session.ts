import type { Session } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { callOf, SlipwayError } from './client.ts'
import { setOnline } from './connection.ts'
import { queryClient } from './query-client.ts'
import { remember, remembered } from './storage.ts'

export type { Session }
export type Project = Session['projects'][number]

const KEPT = 'session'
let isFromDevice = false
/** Whether nobody could ask the server who is signed in, so that the last answer counts. */
export const isKeptSession = () => isFromDevice

/**
 * Who is signed in. Names only are kept on this device, so that the app opens while the server cannot be reached and shows
 * what waits. The cookie, which proves it, is the browser's.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    try {
      const { data } = await api.session(callOf()).get({ signal })
      remember(KEPT, JSON.stringify(data))
      isFromDevice = false
      return data
    } catch (err) {
      const status = err instanceof SlipwayError ? err.status : undefined
      if (status === 401) remember(KEPT, undefined)
      const kept = status === 0 || status === 502 || status === 503 || status === 504 ? remembered(KEPT) : undefined
      if (!kept) throw err
      isFromDevice = true
      setOnline(false)
      return JSON.parse(kept) as Session
    }
  },
  staleTime: 5 * 60_000,
  retry: false,
  // Without a connection it must fail, not wait.
  networkMode: 'always',
})

/** After a change of the person's projects, their names or the role in them. The router must be invalidated after it. */
export const readSessionAgain = () => queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: async ({ signal }) => (await api.session(callOf()).getOptions({ signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
})

export const signIn = async (email: string, password: string): Promise<Session> =>
  (await api.session(callOf()).signIn({ email, password })).data

export async function signOut(): Promise<void> {
  await api.session(callOf()).signOut()
  remember(KEPT, undefined)
}

/** Leaves the page for that of the identity provider. */
export async function startSingleSignOn(body: { next?: string; invitation_token?: string }): Promise<void> {
  location.assign((await api.session(callOf()).startSingleSignOn(body)).data.url)
}
