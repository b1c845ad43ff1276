import { Type } from 'typebox'
import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inSavepoint } from '../../kernel/database/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { Items, Nullable, named, Uuid } from '../../kernel/http/schema.ts'
import { authorizeWrite } from '../projects/index.ts'

const MOST_IDS = 200

export const Ids = Type.Array(Uuid, { minItems: 1, maxItems: MOST_IDS })

export const Outcomes = Items(
  named(
    'ArtifactOutcome',
    Type.Object({
      id: Uuid,
      refusal: Nullable(Type.String({ examples: ['There is something called "fees.csv" in the root already.'] }), {
        description: 'Why it was refused. Null if it was done.',
      }),
    }),
  ),
)

/** Does the same to several artifacts. One that is refused does not hold up the others. */
export async function doEach(ctx: Ctx, ids: string[], run: (ctx: TxCtx, id: string) => Promise<unknown>) {
  authorizeWrite(ctx.actor)
  const outcomes: { id: string; refusal: string | null }[] = []
  for (const id of new Set(ids)) {
    try {
      await inSavepoint(ctx, (ctx) => run(ctx, id))
      outcomes.push({ id, refusal: null })
    } catch (err) {
      if (!(err instanceof AppError) || err.status >= 500) throw err
      outcomes.push({ id, refusal: err.message })
    }
  }
  return { items: outcomes }
}
