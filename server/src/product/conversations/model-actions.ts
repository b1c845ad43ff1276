import type { Ctx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { AppError, invalid, quoted } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import { checkSeen } from '../../kernel/expected.ts'
import { ask, costOf, ModelFailure, openModel, type Usage } from '../../kernel/model/index.ts'
import { seal } from '../../kernel/sealing.ts'
import { authorizeManagement, lockProject, projectEvents } from '../projects/index.ts'
import { settleUsage } from './budgets/reservations.ts'
import { findProjectModel, OPERATORS_MODEL, type ProjectModel, saveProjectModel } from './models/model-queries.ts'
import { placeOfKey, settingsOf } from './models/project-model.ts'

export interface WantedModel extends Omit<ProjectModel, 'sealedKey'> {
  /** Undefined keeps the one that is stored, as long as the address stays the same. Null for none. */
  key: string | null | undefined
}

/** What the person wants to replace, as far as it is shown. */
export type SeenModel = Omit<ProjectModel, 'sealedKey'>
const withoutKey = ({ sealedKey: _, ...shown }: ProjectModel): SeenModel => ({ ...shown })

export const loadProjectModel = ({ db, actor }: Ctx) => findProjectModel(db, actor.projectId)

/** Only an admin decides where the texts of the project are sent. */
export async function setProjectModel(ctx: Ctx, wanted: WantedModel, seen?: SeenModel): Promise<ProjectModel> {
  authorizeManagement(ctx.actor)
  const { projectId } = ctx.actor
  const next = await drafted(ctx, wanted)
  await inTransaction(ctx, async (ctx) => {
    await lockProject(ctx.db, projectId)
    checkSeen('model', withoutKey(await findProjectModel(ctx.db, projectId)), withoutKey(next), seen)
    await saveProjectModel(ctx.db, projectId, next)
    const payload = { fields: ['model'] }
    await recordEvent(ctx, projectEvents.updated(projectId, payload))
  })
  return next
}

export interface TestedModel {
  model: string
  answer: string
  tookMs: number
}

const TEST_WITHIN_MS = 30_000

/** Asks a model for one word. What that uses counts like any other answer. */
export async function testProjectModel(ctx: Ctx, wanted: WantedModel | undefined): Promise<TestedModel> {
  authorizeManagement(ctx.actor)
  const { projectId, userId } = ctx.actor
  const one = wanted ? await drafted(ctx, wanted) : await findProjectModel(ctx.db, projectId)
  const startedAtMs = performance.now()
  const usages: Usage[] = []
  try {
    const settings = await settingsOf(ctx.wiring.settings, projectId, one)
    const opened = await openModel(settings, null)
    const { text } = await ask({
      ...opened,
      system: 'You check a connection.',
      messages: [{ role: 'user', content: 'Answer with the word OK.' }],
      tools: [],
      signal: AbortSignal.timeout(TEST_WITHIN_MS),
      stallMs: TEST_WITHIN_MS,
      onUsage: (usage) => usages.push(usage),
    }).finally(() => {
      const payment = {
        projectId,
        userId,
        conversationId: undefined,
        automationId: undefined,
        payerIds: [],
        model: opened.name,
        prices: settings.prices,
      }
      const used = usages.map((usage) => ({ ...usage, cost: costOf(settings.prices, opened.name, usage) }))
      return settleUsage(ctx, payment, undefined, used)
    })
    return {
      model: opened.name,
      answer: text.trim().slice(0, 200),
      tookMs: Math.round(performance.now() - startedAtMs),
    }
  } catch (err) {
    if (err instanceof ModelFailure) throw new AppError(409, 'model_failed', err.message)
    if ((err as Error).name === 'TimeoutError')
      throw new AppError(409, 'model_failed', `The model did not answer within ${TEST_WITHIN_MS / 1_000} s.`)
    throw err
  }
}

async function drafted(ctx: Ctx, wanted: WantedModel): Promise<ProjectModel> {
  if (wanted.source !== 'own') return { ...OPERATORS_MODEL, source: wanted.source }
  const { projectId } = ctx.actor
  const { key, ...rest } = wanted
  const baseUrl = checkUrl(wanted.baseUrl)
  const model = wanted.model?.trim() ?? ''
  if (model === '') throw invalid([{ pointer: '/model', detail: 'Name a model that the endpoint serves.' }])
  if ((wanted.inputPrice === null) !== (wanted.outputPrice === null))
    throw invalid([{ pointer: '/output_price', detail: 'Give both prices, for input and output, or none.' }])
  const known = await findProjectModel(ctx.db, projectId)
  // A stored key is never sent to another address.
  const kept = known.baseUrl === baseUrl ? known.sealedKey : null
  const secretKey = await ctx.wiring.settings.secretKey()
  const sealedKey = key === undefined ? kept : key ? seal(secretKey, placeOfKey(projectId), key) : null
  return { ...rest, baseUrl, model, sealedKey }
}

function checkUrl(given: string | null): string {
  const url = given?.trim() ?? ''
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalid([
      {
        pointer: '/base_url',
        detail: `${quoted(url)} is not a full http or https URL, such as https://models.example.org/v1.`,
      },
    ])
  const { username, password } = new URL(url)
  if (username || password)
    throw invalid([{ pointer: '/base_url', detail: 'A URL with a password in it would be shown. Give it as the key.' }])
  return url.replace(/\/+$/, '')
}
