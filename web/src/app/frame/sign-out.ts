import { writes } from '../../lib/outbox/index.ts'
import { countDrafts, forgetOwn, unsentIds } from '../../lib/own-storage.ts'
import { queryClient } from '../../lib/query-client.ts'
import { signOut } from '../../lib/session.ts'
import { expectSignOut, leaveForSignIn } from '../../lib/sign-in-again.ts'
import { showToast } from '../../lib/toasts.ts'
import { unkept } from '../../lib/unkept.ts'

/** What only this device has of the person's work, in all tabs. */
export const countUnsent = () => ({
  changes: new Set([...unsentIds(), ...writes.get().flatMap(({ id, waits }) => (waits ? [id] : []))]).size,
  drafts: countDrafts(),
})

/** Signs out and leaves nothing of the person here. If only this device has something, asks first. */
export async function leave(ask: () => void): Promise<void> {
  const { changes, drafts } = countUnsent()
  if (changes + drafts > 0) ask()
  else await leaveNow({ forgets: true })
}

/** What is kept comes back when the same person signs in here again. Nobody else sees it. */
export async function leaveNow({ forgets }: { forgets: boolean }): Promise<void> {
  expectSignOut(true)
  try {
    await signOut()
  } catch (err) {
    expectSignOut(false)
    showToast({ text: 'You are still signed in.', detail: (err as Error).message, tone: 'error' })
    return
  }
  if (forgets) forgetOwn()
  // The person has been asked.
  unkept.set(new Set())
  queryClient.clear()
  leaveForSignIn()
}
