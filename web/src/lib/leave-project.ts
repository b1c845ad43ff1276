import type { AnyRouter } from '@tanstack/react-router'
import { SlipwayError } from './client.ts'
import { copyText } from './copy-text.ts'
import { discardWrite, type Write, writes } from './outbox/index.ts'
import { asText } from './outbox/unsent-text.ts'
import { queryClient } from './query-client.ts'
import { readSessionAgain } from './session.ts'
import { signInAgain } from './sign-in-again.ts'
import { showToast, type Toast } from './toasts.ts'

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
    const lost = isDeleted ? writes.get().filter((one) => one.waits && one.projectId === projectId) : []
    for (const { id } of lost) discardWrite(id)
    const next = /^\/p\/([^/]+)/.exec(router.state.location.pathname)?.[1]
    const name = projects.find(({ id }) => id === next)?.name
    const here = name ? `You are in ${name} now.` : ''
    if (lost.length > 0) showToast(discarded(text, here, lost))
    else showToast({ text, ...(here && { detail: here }) })
  } catch (err) {
    if (err instanceof SlipwayError && err.status === 401) signInAgain()
  } finally {
    leaving.delete(projectId)
  }
}

/** Stays until it is closed: what it offers is nowhere else. */
function discarded(text: string, here: string, lost: Write[]): Omit<Toast, 'id'> {
  const what = lost.length === 1 ? '1 change that was not sent is' : `${lost.length} changes that were not sent are`
  const copy = { label: 'Copy as text', run: () => void copyText(asText(lost), 'Copied') }
  return { text, detail: `Your ${what} discarded. ${here}`.trim(), tone: 'error', action: copy }
}
