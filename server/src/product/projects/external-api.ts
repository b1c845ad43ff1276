import { Type } from 'typebox'
import { operation } from '../../kernel/http/operation.ts'
import { answerPage, offsetOf, Paged, PageQuery } from '../../kernel/http/paging.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Kind, named, Text, Uuid } from '../../kernel/http/schema.ts'
import { listMembers, type MemberRow } from './queries.ts'

const ProjectMember = named(
  'User',
  Type.Object({
    object: Kind('user'),
    id: Uuid,
    display_name: Type.String({ examples: ['Ada Lovelace'] }),
    email: Type.String({ examples: ['ada@example.org'] }),
  }),
)

const presentMember = (row: MemberRow) => ({
  object: 'user' as const,
  id: row.id,
  display_name: row.name,
  email: row.email,
})

export function registerUserRoutes(face: Face) {
  face.get(
    '/users',
    operation({
      id: 'listUsers',
      summary: 'List the members of the project',
      tags: ['Users'],
      query: Type.Object({
        search: Type.Optional(Text(500, { description: 'Part of a display name or e-mail, in any case.' })),
        ...PageQuery,
      }),
      answer: Paged(ProjectMember),
    }),
    async (req, reply) => {
      const { db, actor } = req.ctx
      const { search, page_size } = req.query
      const { rows, total } = await listMembers(db, actor.projectId, search, page_size, offsetOf(req.query))
      return answerPage(req, reply, { rows: rows.map(presentMember), total })
    },
  )
}
