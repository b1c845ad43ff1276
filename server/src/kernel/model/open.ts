import type { LanguageModel } from 'ai'
import { ModelFailure } from './failure.ts'
import { pacedFetch } from './paced-fetch.ts'
import { reasoningModelsOf } from './reasoning.ts'
import type { ModelSettings } from './settings.ts'

export interface OpenModel {
  name: string
  model: LanguageModel
  reasoningModels: Set<string>
}

const ANTHROPIC_DEFAULT = 'claude-sonnet-4-5'

/** The model that is used where none is named. Undefined if there is none. */
export const nameOfDefault = ({ name, compatible, anthropic }: ModelSettings): string | undefined =>
  compatible ? name : anthropic ? (name ?? ANTHROPIC_DEFAULT) : undefined

/** Finds the provider of a model. Names that start with `claude` go to Anthropic if it has a key. */
export async function openModel(settings: ModelSettings, wanted: string | null): Promise<OpenModel> {
  const { compatible, anthropic } = settings
  if (settings.isOff)
    throw new ModelFailure('This project uses no model. An admin chooses one under Settings, Models and budgets.')
  if (!compatible && !anthropic)
    throw new ModelFailure(
      'No model is configured. The operator sets MODEL_BASE_URL and MODEL_NAME, or ANTHROPIC_API_KEY.',
    )
  const name = wanted ?? nameOfDefault(settings)
  if (!name) throw new ModelFailure('No model was named and the operator has chosen none. Set MODEL_NAME.')
  const model = anthropic && (!compatible || /^claude/i.test(name)) ? anthropicModel(anthropic, name) : undefined
  const opened = await withoutReasoning(await (model ?? compatibleModel(compatible!, name)))
  return { name, model: opened, reasoningModels: reasoningModelsOf(settings) }
}

// The libraries are large, so the first run loads them, not every start.
async function compatibleModel(
  { baseUrl, apiKey, fetch = globalThis.fetch }: NonNullable<ModelSettings['compatible']>,
  name: string,
) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({
    name: 'model',
    baseURL: baseUrl,
    includeUsage: true,
    ...(apiKey && { apiKey }),
    fetch: pacedFetch(fetch),
  })
  return provider.chatModel(name)
}

async function anthropicModel({ baseUrl, apiKey }: NonNullable<ModelSettings['anthropic']>, name: string) {
  const { createAnthropic } = await import('@ai-sdk/anthropic')
  return createAnthropic({ apiKey, ...(baseUrl && { baseURL: baseUrl }), fetch: pacedFetch(fetch) })(name)
}

/** Some local models write their reasoning between tags. It is not part of the answer. */
async function withoutReasoning(model: Awaited<ReturnType<typeof compatibleModel | typeof anthropicModel>>) {
  const { extractReasoningMiddleware, wrapLanguageModel } = await import('ai')
  return wrapLanguageModel({ model, middleware: extractReasoningMiddleware({ tagName: 'think' }) })
}
