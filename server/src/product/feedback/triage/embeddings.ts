import { BUILT_IN, relativeTo } from '../../../engines/meaning/features.ts'
import { NEUTRAL } from '../../../engines/meaning/neutral.ts'
import { ConfigError } from '../../../kernel/environment.ts'
import type { SliceSettings } from '../../../kernel/settings.ts'

/** A server that speaks the protocol of OpenAI's embeddings, such as Ollama. It replaces the built-in encoder. */
export interface EmbeddingsServer {
  baseUrl: string
  model: string
  apiKey: string | undefined
}

export const embeddingsSettings: SliceSettings<EmbeddingsServer | undefined> = {
  read(env) {
    const baseUrl = env.httpUrl('EMBEDDINGS_BASE_URL')
    const model = env.optional('EMBEDDINGS_MODEL')
    if (baseUrl === undefined && model === undefined) return undefined
    if (baseUrl === undefined || model === undefined)
      throw new ConfigError('EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL must both be set, or neither.')
    return { baseUrl, model, apiKey: env.optional('EMBEDDINGS_API_KEY') }
  },
}

const DEADLINE_MS = 30_000
/** A server that did not answer is left alone for this long. */
const PAUSE_MS = 60_000

let awayUntil = 0
/** By encoder, what makes a vector relative to those of neutral texts. */
const centres = new Map<string, (vector: number[]) => string>()

export const isAway = () => Date.now() < awayUntil

export const encoderOf = (server?: EmbeddingsServer) => (server ? `${server.baseUrl} ${server.model}` : BUILT_IN)

/** Returns a vector for each text, or undefined while the server is away. */
export async function embed(server: EmbeddingsServer, texts: string[]): Promise<string[] | undefined> {
  if (texts.length === 0) return []
  if (isAway()) return undefined
  const encoder = encoderOf(server)
  try {
    const centre = centres.get(encoder) ?? relativeTo(await request(server, NEUTRAL))
    centres.set(encoder, centre)
    return (await request(server, texts)).map(centre)
  } catch {
    awayUntil = Date.now() + PAUSE_MS
    return undefined
  }
}

async function request({ baseUrl, model, apiKey }: EmbeddingsServer, input: string[]): Promise<number[][]> {
  const answer = await fetch(`${baseUrl}/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify({ model, input, encoding_format: 'float' }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  })
  if (!answer.ok) throw new Error(`The embeddings server answered ${answer.status}.`)
  const { data } = (await answer.json()) as { data?: { index: number; embedding: number[] }[] }
  if (data?.length !== input.length) throw new Error('The embeddings server answered with another number of vectors.')
  return data.toSorted((a, b) => a.index - b.index).map((one) => one.embedding)
}
