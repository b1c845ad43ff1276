import type { Ctx } from '../context.ts'

export type Linking = Pick<Ctx, 'baseUrl' | 'linkTo'>

/** The absolute link to an operation, in the API that the request came through. */
export const linkTo = (ctx: Linking, path: string): string =>
  ctx.linkTo?.(path) ?? `${ctx.baseUrl}/v2/external-api${path}`
