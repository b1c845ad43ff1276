import type { Kind } from '../kind.ts'

let asked: { address: string; state: Promise<Uint8Array | undefined> } | undefined

const addressOf = (projectId: string, kind: Kind, id: string) =>
  `/v2/app-api/${kind}/${id}/live_state?project_id=${projectId}`

/** Asks for a document as soon as its link is followed, while the page and the code of the editor are still to come. */
export function askForState(projectId: string, kind: Kind, id: string): void {
  const address = addressOf(projectId, kind, id)
  asked = { address, state: read(address) }
}

/** The document as it is stored, so that it can be read before its session has begun. The session sends what is newer. */
export function takeState(projectId: string, kind: Kind, id: string): Promise<Uint8Array | undefined> {
  const address = addressOf(projectId, kind, id)
  const state = asked?.address === address ? asked.state : read(address)
  asked = undefined
  return state
}

async function read(address: string): Promise<Uint8Array | undefined> {
  try {
    const answer = await fetch(address)
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined
  } catch {
    // The session tells what is wrong.
    return undefined
  }
}
