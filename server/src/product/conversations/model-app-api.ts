import { Type } from 'typebox'
import type { Ctx } from '../../kernel/context.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Kind, Nullable, named, OneOf, Text } from '../../kernel/http/schema.ts'
import { costOf, nameOfDefault } from '../../kernel/model/index.ts'
import {
  loadProjectModel,
  type SeenModel,
  setProjectModel,
  testProjectModel,
  type WantedModel,
} from './model-actions.ts'
import { MODEL_SOURCES, type ProjectModel } from './models/model-queries.ts'

const tags = ['Automations']
const Price = Nullable(Type.Number({ minimum: 0, maximum: 1_000_000, examples: [3] }), {
  description: 'What a million tokens cost. Null: not known.',
})
const Source = OneOf(MODEL_SOURCES, {
  description: "`operator`: the operator's. `own`: an endpoint of the project. `none`: agents rest.",
})

const ProjectModelShape = named(
  'ProjectModel',
  Type.Object({
    object: Kind('project_model'),
    source: Source,
    base_url: Nullable(Type.String({ examples: ['https://models.example.org/v1'] })),
    model: Nullable(Type.String({ examples: ['qwen3-coder'] })),
    has_key: Type.Boolean({ examples: [true], description: 'The key itself is never shown.' }),
    input_price: Price,
    output_price: Price,
    operators_model: Nullable(Type.String({ examples: ['claude-sonnet-4-5'] }), {
      description: 'What `operator` stands for. Null if the operator has set none.',
    }),
    is_priced: Type.Boolean({ examples: [true], description: 'Whether the model that is used now has a price.' }),
  }),
)

const ModelBody = Type.Object({
  source: Source,
  base_url: Type.Optional(Nullable(Text(2_000))),
  model: Type.Optional(Nullable(Text(200))),
  key: Type.Optional(
    Nullable(Text(10_000), { description: 'Left out, the stored one stays while the address does. Null for none.' }),
  ),
  input_price: Type.Optional(Price),
  output_price: Type.Optional(Price),
})

const { key: _, ...shownFields } = ModelBody.properties
const ExpectedModel = Type.Object(shownFields, {
  description: 'What you want to replace. If it has changed since, the answer is 412.',
})

const TestedShape = named(
  'TestedModel',
  Type.Object({
    model: Type.String({ examples: ['qwen3-coder'] }),
    answer: Type.String({ examples: ['OK'] }),
    took_ms: Type.Integer({ examples: [840] }),
  }),
)

interface SentModel {
  source: WantedModel['source']
  base_url?: string | null
  model?: string | null
  key?: string | null
  input_price?: number | null
  output_price?: number | null
}

const readModel = (sent: SentModel): WantedModel => ({
  source: sent.source,
  baseUrl: sent.base_url ?? null,
  model: sent.model ?? null,
  key: sent.key,
  inputPrice: sent.input_price ?? null,
  outputPrice: sent.output_price ?? null,
})

function readSeen(sent: Omit<SentModel, 'key'>): SeenModel {
  const { key: _, ...seen } = readModel(sent)
  return seen
}

function present({ wiring: { settings } }: Ctx, one: ProjectModel) {
  const operators = nameOfDefault(settings.model) ?? null
  const isOperatorsPriced = operators !== null && costOf(settings.model.prices, operators, NOTHING) !== undefined
  return {
    object: 'project_model' as const,
    source: one.source,
    base_url: one.baseUrl,
    model: one.model,
    has_key: one.sealedKey !== null,
    input_price: one.inputPrice,
    output_price: one.outputPrice,
    operators_model: operators,
    is_priced: one.source === 'operator' ? isOperatorsPriced : one.inputPrice !== null,
  }
}
const NOTHING = { inputTokens: 0, outputTokens: 0 }

/** Which model the agents of the project use. */
export function registerProjectModelRoutes(face: Face) {
  face.get(
    '/project_model',
    operation({
      id: 'getProjectModel',
      summary: 'Read which model the agents of the project use',
      tags,
      answer: Data(ProjectModelShape),
    }),
    async ({ ctx }) => ({ data: present(ctx, await loadProjectModel(ctx)) }),
  )

  face.put(
    '/project_model',
    operation({
      id: 'setProjectModel',
      summary: 'Choose which model the agents of the project use',
      description: 'Only project admins. The key is stored encrypted and never shown.',
      tags,
      body: Type.Object({ ...ModelBody.properties, expected: Type.Optional(ExpectedModel) }),
      answer: Data(ProjectModelShape),
      refuses: [412],
    }),
    async ({ ctx, body }) => {
      const seen = body.expected && readSeen(body.expected)
      return { data: present(ctx, await setProjectModel(ctx, readModel(body), seen)) }
    },
  )

  face.post(
    '/project_model/test',
    operation({
      id: 'testProjectModel',
      summary: 'Ask a model for one word',
      description: 'The model that is stored, or the one in the body. Only project admins.',
      tags,
      body: Type.Partial(ModelBody),
      answer: Data(TestedShape),
      optionalBody: true,
      refuses: [409],
      callsOthers: true,
    }),
    async ({ ctx, body }) => {
      const { source } = body
      const { tookMs, ...rest } = await testProjectModel(ctx, source && readModel({ ...body, source }))
      return { data: { ...rest, took_ms: tookMs } }
    },
  )
}
