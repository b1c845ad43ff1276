import { Type } from 'typebox'
import { Text } from '../../kernel/http/schema.ts'
import { defineTool, type Tool } from '../../kernel/slice.ts'
import { listMembers } from './queries.ts'

export const projectTools: Tool[] = [
  defineTool({
    name: 'list_members',
    domain: 'users',
    kind: 'view',
    description: 'Lists the members of the project: who work can be assigned to.',
    input: Type.Object({ search: Type.Optional(Text(500, { description: 'Part of a name or e-mail.' })) }),
    async run({ db, actor }, { search }) {
      const { rows, total } = await listMembers(db, actor.projectId, search, 100, 0)
      return { items: rows.map(({ id, name, email }) => ({ id, name, email })), total }
    },
  }),
]
