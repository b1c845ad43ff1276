import type { Db } from '../../../kernel/database/index.ts'

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
