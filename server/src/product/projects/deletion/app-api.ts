import { Type } from 'typebox'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, Empty, FilledText, named } from '../../../kernel/http/schema.ts'
import { deleteProject, readProjectContents } from './deletion.ts'

const tags = ['Project']

const ContentsShape = named(
  'ProjectContents',
  Type.Object({
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: 'How many there are, by kind. Kinds of which there are none are missing.',
      examples: [{ requirements_document: 24, blueprint: 31, work_order: 58 }],
    }),
    members: Type.Integer({ examples: [9] }),
    left_without_project: Type.Integer({ description: 'Members who are in no other project.', examples: [2] }),
    keys: Type.Integer({ description: 'Keys that work.', examples: [5] }),
  }),
)

export function registerDeletionRoutes(face: Face) {
  face.get(
    '/project/contents',
    operation({
      id: 'getProjectContents',
      summary: 'Count what a deletion of the project would delete',
      description: 'For admins.',
      tags,
      answer: Data(ContentsShape),
      refuses: [403],
    }),
    async (req) => {
      const { counts, ...rest } = await readProjectContents(req.ctx)
      return { data: { ...rest, counts: Object.fromEntries(counts.map(({ name, live }) => [name, live])) } }
    },
  )

  face.delete(
    '/project',
    operation({
      id: 'deleteProject',
      summary: 'Delete the project',
      description:
        'For admins who are in another project of the organization. It cannot be undone: members, keys and connected programs lose access at once, and everything in it is removed in the background.',
      tags,
      query: Type.Object({
        name: FilledText(200, { description: 'The name of the project, to confirm.', examples: ['Harbor Checkout'] }),
      }),
      answers: { 204: Empty },
    }),
    async (req, reply) => {
      await deleteProject(req.ctx, req.query.name)
      return reply.code(204).send(null)
    },
  )
}
