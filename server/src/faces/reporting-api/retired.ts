import type { FastifyInstance } from 'fastify'
import { AppError } from '../../kernel/errors.ts'

/** The endpoint that the reporting API replaced. Reads neither headers nor body, and tells callers where to go. */
export function registerRetiredEndpoint(app: FastifyInstance, baseUrl: string): void {
  const successor = `${baseUrl}/v2/reporting-api/feedback`
  const message = `This endpoint was retired on 1 August 2026. Send feedback to ${successor} with a reporting key in "X-API-Key": the text as "content", without a title.`
  app.all('/v1/integration/validator/feedback', {
    config: { anonymous: true },
    onRequest: (_req, _reply, done) => {
      const headers = { link: `<${successor}>; rel="successor-version"` }
      done(new AppError(410, 'endpoint_retired', message, { extra: { message }, headers }))
    },
    handler: () => undefined,
  })
}
