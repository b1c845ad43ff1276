/** Where a text that people edit together is. */
export interface TextPlace {
  projectId: string
  /** As its address in the API begins: `requirements`. */
  path: string
  id: string
}

let asked: { address: string; state: Promise<Uint8Array | undefined> } | undefined

const addressOf = ({ projectId, path, id }: TextPlace) => `/v2/app-api/${path}/${id}/live_state?project_id=${projectId}`

/** Asks for a document as soon as its link is followed, while the page and the code of the editor are still to come. */
export function askForState(place: TextPlace): void {
  const address = addressOf(place)
  asked = { address, state: read(address) }
}

/** The document as it is stored, so that it can be read before its session has begun. The session sends what is newer. */
export function takeState(place: TextPlace): Promise<Uint8Array | undefined> {
  const address = addressOf(place)
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
