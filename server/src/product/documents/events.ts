import { Type } from 'typebox'
import { defineEvents, event, MEMBERS } from '../../kernel/event-kinds.ts'
import { Nullable, Uuid } from '../../kernel/http/schema.ts'
import type { ResourceType } from '../links/index.ts'

const Title = Type.String({ examples: ['Refunds'] })
const Tree = { title: Title, tree_id: Uuid }
const Thread = { thread_id: Uuid }
const Message = { thread_id: Uuid, message_id: Uuid }
const VersionNumber = Type.Integer({ examples: [3] })
export const VersionOfDocument = { version_id: Uuid, version_number: VersionNumber }
const Place = { tree_id: Uuid, parent_id: Nullable(Uuid), position: Type.Integer({ examples: [0] }) }

const defineDocumentEvents = (name: 'requirements_document' | 'blueprint', title: string) =>
  defineEvents(
    { name, title, seenBy: MEMBERS },
    {
      created: event(Tree, 'created {it}'),
      updated: event(
        {
          ...VersionOfDocument,
          restored_version_number: Type.Optional(VersionNumber),
          typed: Type.Optional(Type.Boolean({ description: 'It was typed in the editor.' })),
          folded: Type.Optional(Type.Boolean({ description: 'It joined the newest version.' })),
        },
        ({ restored_version_number: restored }) =>
          restored === undefined ? 'edited the text of {it}' : `restored version ${restored} of {it}`,
      ),
      renamed: event({ from: Title, to: Title }, ({ from }) => `renamed {it} from “${from}”`),
      moved: event(Place, 'moved {it}'),
      deleted: event(Tree, 'deleted {it}'),
      restored: event(Tree, 'brought {it} back'),
      version_named: event(
        {
          ...VersionOfDocument,
          from: Nullable(Type.String({ examples: ['Draft'] })),
          to: Nullable(Type.String({ examples: ['Agreed with Finance'] })),
        },
        ({ version_number: version, to }) =>
          to === null ? `took the name off version ${version} of {it}` : `named version ${version} of {it} “${to}”`,
      ),
      commented: event(Thread, 'commented on {it}'),
      comment_changed: event(
        { ...Thread, is_resolved: Type.Boolean({ examples: [true] }), is_flagged: Type.Boolean() },
        ({ is_resolved }) => (is_resolved ? 'resolved a comment on {it}' : 'changed a comment on {it}'),
      ),
      comment_updated: event(Message, 'edited a comment on {it}'),
      comment_deleted: event({ ...Thread, message_id: Type.Optional(Uuid) }, 'deleted a comment on {it}'),
      comment_restored: event(Message, 'brought a comment on {it} back'),
    },
  )

export const documentEvents = {
  requirements_document: defineDocumentEvents('requirements_document', 'Requirements'),
  blueprint: defineDocumentEvents('blueprint', 'Blueprints'),
}

export function eventsOf(kind: ResourceType) {
  if (kind !== 'requirements_document' && kind !== 'blueprint') throw new Error(`"${kind}" is no kind of document.`)
  return documentEvents[kind]
}
