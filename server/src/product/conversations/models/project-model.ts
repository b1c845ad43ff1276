import type { JobDeps } from '../../../kernel/context.ts'
import { guardedFetch } from '../../../kernel/http/outgoing/guarded-fetch.ts'
import { ModelFailure, type ModelSettings, nameOfDefault } from '../../../kernel/model/index.ts'
import { unseal } from '../../../kernel/sealing.ts'
import type { Settings } from '../../../kernel/settings.ts'
import { conversationSettings } from '../settings.ts'
import { findProjectModel, type ProjectModel } from './model-queries.ts'

/** Where the key of a project's own endpoint belongs. */
export const placeOfKey = (projectId: string) => `model of ${projectId}`

/** The models that the agents of a project can use: the operator's, those of its own endpoint, or none. */
export const modelSettingsFor = async ({ db, wiring }: Pick<JobDeps, 'db' | 'wiring'>, projectId: string) =>
  settingsOf(wiring.settings, projectId, await findProjectModel(db, projectId))

export async function settingsOf(settings: Settings, projectId: string, one: ProjectModel): Promise<ModelSettings> {
  const { source, baseUrl, model, sealedKey, inputPrice, outputPrice } = one
  if (source === 'operator') return settings.model
  const without = { ...settings.model, compatible: undefined, anthropic: undefined, name: undefined, isOff: true }
  if (source === 'none' || baseUrl === null || model === null) return without
  const apiKey = sealedKey === null ? undefined : unseal(await settings.secretKey(), placeOfKey(projectId), sealedKey)
  if (sealedKey !== null && apiKey === undefined)
    throw new ModelFailure(
      "The key of the project's model was stored with another SECRET_KEY. An admin of the project sets it again.",
    )
  const { privateModelHosts: privateHosts } = settings.of(conversationSettings)
  const fetch = guardedFetch({ privateHosts, allowedBy: 'MODEL_PRIVATE_HOSTS' })
  const isPriced = inputPrice !== null && outputPrice !== null
  return {
    ...settings.model,
    compatible: { baseUrl, apiKey, fetch },
    anthropic: undefined,
    name: model,
    prices: isPriced ? { [model]: { input: inputPrice, output: outputPrice } } : {},
  }
}

/** Which models agents of a project have, for those who choose one. What cannot be opened is as good as none. */
export async function describeModels(deps: Pick<JobDeps, 'db' | 'wiring'>, projectId: string) {
  const settings = await modelSettingsFor(deps, projectId).catch(() => ({
    ...deps.wiring.settings.model,
    compatible: undefined,
    anthropic: undefined,
  }))
  const { compatible, anthropic, prices, limits } = settings
  return {
    isSet: compatible !== undefined || anthropic !== undefined,
    name: nameOfDefault(settings) ?? null,
    priced: Object.keys(prices),
    limits,
  }
}
