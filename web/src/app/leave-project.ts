import type { AnyRouter } from '@tanstack/react-router'
import { SlipwayError } from '../lib/client.ts'
import { discardWrite, writes } from '../lib/outbox/index.ts'
import { queryClient } from '../lib/query-client.ts'
import { readSessionAgain } from '../lib/session.ts'
import { signInAgain } from '../lib/sign-in-again.ts'
import { showToast } from './toasts.tsx'

interface Left {
  projectId: string
  /** What to say, once it is certain that the project is out of reach. */
  text: string
  /** What was not saved in it can never be saved. */
  isDeleted?: boolean
}

const leaving = new Set<string>()

/** Goes to another project and says why, if the server says that the person is no longer in this one. */
export async function leaveProject(router: AnyRouter, { projectId, text, isDeleted }: Left): Promise<void> {
  if (leaving.has(projectId)) return
  leaving.add(projectId)
  try {
    const { projects } = await readSessionAgain()
    if (projects.some(({ id }) => id === projectId)) return
    await router.navigate({ to: '/' })
    queryClient.removeQueries({ queryKey: [projectId] })
    if (isDeleted) for (const one of writes.get()) if (one.projectId === projectId) discardWrite(one.id)
    const next = /^\/p\/([^/]+)/.exec(router.state.location.pathname)?.[1]
    const name = projects.find(({ id }) => id === next)?.name
    showToast({ text, ...(name && { detail: `You are in ${name} now.` }) })
  } catch (err) {
    if (err instanceof SlipwayError && err.status === 401) signInAgain()
  } finally {
    leaving.delete(projectId)
  }
}
