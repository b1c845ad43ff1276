const held = new Map<string, () => void>()

/** Web Locks exist only on HTTPS and localhost. Elsewhere every tab goes on, and the server stores the file once. */
const locks = () => navigator.locks as LockManager | undefined

const take = (key: string, options: LockOptions) =>
  new Promise<boolean>((resolve, reject) => {
    const keep = (lock: Lock | null) => {
      resolve(lock !== null)
      return lock ? new Promise<void>((release) => held.set(key, release)) : undefined
    }
    locks()!.request(`slipway upload ${key}`, options, keep).catch(reject)
  })

/** One tab has an upload, until it is done or the tab is closed. Returns false if another tab has it. */
export async function holdUpload(key: string): Promise<boolean> {
  return !locks() || held.has(key) || take(key, { ifAvailable: true })
}

/** Waits until no other tab has it. */
export const takeOverUpload = (key: string) => take(key, {})

export function releaseUpload(key: string): void {
  held.get(key)?.()
  held.delete(key)
}
