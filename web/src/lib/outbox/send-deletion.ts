import { SlipwayError } from '../client.ts'

/** Sends a deletion. If the answer to an earlier attempt was lost, it is gone already. */
export async function sendDeletion(send: () => Promise<unknown>): Promise<void> {
  try {
    await send()
  } catch (err) {
    if (!(err instanceof SlipwayError) || err.status !== 404) throw err
  }
}
