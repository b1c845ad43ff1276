import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../../kernel/errors.ts'
import type { UploadedFile } from '../../kernel/http/bodies/multipart.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { submitFeedback } from './items/submissions.ts'
import { fileOf, presentUpload } from './items/upload.ts'
import { refuseWithoutAllowance } from './items/upload-allowance.ts'
import { keepUpload, UPLOADS } from './items/uploads.ts'
import * as schema from './schema.ts'

const tags = ['Reports']

/** Routes through which an application submits what its users say. */
export function registerReportingRoutes(face: Face) {
  face.post(
    '/feedback',
    {
      preValidation: refuseTitle,
      ...operation({
        id: 'reportFeedback',
        summary: 'Report what a user says',
        tags,
        body: schema.ReportBody,
        answers: { 201: schema.ReportAnswer },
      }),
    },
    async (req, reply) => {
      const { end_user_email: endUserEmail, content, attachments = [] } = req.body
      const number = await submitFeedback(req.ctx, { endUserEmail, content, attachments: attachments.map(fileOf) })
      reply.code(201)
      return { feedback_number: number }
    },
  )

  face.post(
    '/uploads',
    {
      preParsing: (req) => refuseWithoutAllowance(req.ctx),
      ...operation({
        id: 'uploadReportFile',
        summary: 'Upload a file for a report',
        description: 'Name the returned key among the attachments of the report.',
        tags,
        body: schema.UploadBody,
        answers: { 201: schema.UploadAnswer },
        upload: UPLOADS,
      }),
    },
    async (req, reply) => {
      const upload = await keepUpload(req.ctx, (req.body as { file: UploadedFile }).file)
      reply.code(201)
      return presentUpload(upload)
    },
  )
}

/** Other unknown fields are ignored. This one is refused because a client that sends it expects it to be stored. */
function refuseTitle(req: FastifyRequest, _reply: FastifyReply, done: (err?: Error) => void) {
  const body = req.body as object | null | undefined
  if (body === null || typeof body !== 'object' || !Object.hasOwn(body, 'title')) return done()
  const detail = 'A title must not be sent: it is made from the first line of "content". Leave it out.'
  done(invalid([{ pointer: '/title', detail }], 'title_not_allowed'))
}
