import { Type } from 'typebox'
import { defineEvents, event, Fields, inWords } from '../../kernel/event-kinds.ts'
import { Nullable, OneOf, Uuid } from '../../kernel/http/schema.ts'
import { VersionOfDocument } from '../documents/index.ts'
import { STATUSES } from './approval/approval.ts'
import { KIND } from './requirements-document.ts'

const Status = OneOf(STATUSES)

export const approvalEvents = defineEvents(KIND, {
  state_changed: event(
    {
      fields: Fields,
      changes: Type.Object({
        status: Type.Optional(Type.Object({ from: Status, to: Status })),
        owner_id: Type.Optional(Type.Object({ from: Nullable(Uuid), to: Nullable(Uuid) })),
      }),
    },
    ({ changes: { status } }) =>
      status ? `set the status of {it} to ${inWords(status.to)}` : 'changed the owner of {it}',
  ),
  approved: event(VersionOfDocument, ({ version_number: version }) => `approved version ${version} of {it}`),
  approval_withdrawn: event(
    VersionOfDocument,
    ({ version_number: version }) => `withdrew the approval of version ${version} of {it}`,
  ),
})
