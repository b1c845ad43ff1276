import { queryOptions } from '@tanstack/react-query'
import { request } from './http.ts'

export interface Project {
  id: string
  name: string
  role: string
}

export interface Session {
  user: { id: string; display_name: string; email: string }
  projects: Project[]
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await request<{ data: Session }>('GET', '/session', { signal })).data,
  staleTime: 5 * 60_000,
  retry: false,
})

export const signIn = async (email: string, password: string) =>
  (await request<{ data: Session }>('POST', '/session', { body: { email, password } })).data

export const signOut = () => request<void>('DELETE', '/session')
