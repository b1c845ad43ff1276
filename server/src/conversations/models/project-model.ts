import type { JobDeps } from '../../kernel/context.ts'
import type { Db } from '../../kernel/database/index.ts'
import { guardedFetch } from '../../kernel/http/outgoing/guarded-fetch.ts'
import { ModelFailure, type ModelSettings } from '../../kernel/model/index.ts'
import { unseal } from '../../kernel/sealing.ts'
import type { Settings } from '../../kernel/settings.ts'
import { conversationSettings } from '../settings.ts'

export const MODEL_SOURCES = ['operator', 'own', 'none'] as const

/** Which model the agents of a project use. */
export interface ProjectModel {
  source: (typeof MODEL_SOURCES)[number]
  baseUrl: string | null
  model: string | null
  sealedKey: string | null
  inputPrice: number | null
  outputPrice: number | null
}

export const OPERATORS_MODEL: ProjectModel = {
  source: 'operator',
  baseUrl: null,
  model: null,
  sealedKey: null,
  inputPrice: null,
  outputPrice: null,
}

export async function findProjectModel(db: Db, projectId: string): Promise<ProjectModel> {
  const [row] = await db<ProjectModel[]>`
    select source, base_url as "baseUrl", model, sealed_key as "sealedKey", input_price as "inputPrice",
      output_price as "outputPrice" from project_models where project_id = ${projectId}`
  return row ?? OPERATORS_MODEL
}

export async function saveProjectModel(db: Db, projectId: string, one: ProjectModel): Promise<void> {
  await db`insert into project_models (project_id, source, base_url, model, sealed_key, input_price, output_price)
    values (${projectId}, ${one.source}, ${one.baseUrl}, ${one.model}, ${one.sealedKey}, ${one.inputPrice},
      ${one.outputPrice})
    on conflict (project_id) do update set source = excluded.source, base_url = excluded.base_url,
      model = excluded.model, sealed_key = excluded.sealed_key, input_price = excluded.input_price,
      output_price = excluded.output_price`
}

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
