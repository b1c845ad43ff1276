import { Type } from 'typebox'
import { defineEvents, event, Fields, MEMBERS, saysFields } from '../../kernel/event-kinds.ts'
import { OneOf, Uuid } from '../../kernel/http/schema.ts'
import { TYPES } from './artifact.ts'

const Placed = {
  type: OneOf(TYPES),
  name: Type.String({ examples: ['Prices.md'] }),
  folder_path: Type.String({ examples: ['/Research/'] }),
}

export const artifactEvents = defineEvents(
  { name: 'artifact', title: 'Knowledge base', seenBy: MEMBERS },
  {
    created: event(Placed, 'added {it}'),
    updated: event(
      {
        fields: Fields,
        version_id: Type.Optional(Uuid),
        version_number: Type.Optional(Type.Integer({ examples: [2] })),
        restored_version_number: Type.Optional(Type.Integer({ examples: [1] })),
        typed: Type.Optional(Type.Boolean({ description: 'It was typed in the editor.' })),
        folded: Type.Optional(Type.Boolean({ description: 'It joined the newest version.' })),
      },
      ({ fields, restored_version_number: restored }) =>
        restored === undefined
          ? saysFields({ markdown_content: 'the text', folder_path: 'the folder', parent_id: 'the folder' })({ fields })
          : `restored version ${restored} of {it}`,
    ),
    deleted: event(Placed, 'deleted {it}'),
    restored: event(Placed, 'brought {it} back'),
  },
)
