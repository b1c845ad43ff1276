import type { ModelSettings } from './settings.ts'

const REASONING_END = '</think>'

/**
 * Returns the text after a model's reasoning, or undefined if the reasoning has not ended. Some servers send only the
 * closing tag; everything before it is reasoning.
 */
export function textAfterReasoning(text: string): string | undefined {
  const end = text.lastIndexOf(REASONING_END)
  return end === -1 ? undefined : text.slice(end + REASONING_END.length).trimStart()
}

/** By the address of the server. */
const reasoningModels = new Map<string, Set<string>>()

/**
 * Returns the names of the models whose last answer started inside their reasoning. Nothing announces this before the
 * closing tag of the first answer, so the reasoning in that answer is streamed, though never stored. Later answers are
 * held back until the tag arrives. A model that skips its reasoning once is streamed at once the next time.
 */
export function reasoningModelsOf(settings: ModelSettings): Set<string> {
  const server = settings.compatible?.baseUrl ?? ''
  const known = reasoningModels.get(server) ?? new Set()
  reasoningModels.set(server, known)
  return known
}
