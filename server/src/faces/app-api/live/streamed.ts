import { Type } from 'typebox'
import { ChangeShape } from './change.ts'
import { PresentPeople } from './presence.ts'

/** What the stream sends. */
export const StreamedChanges = {
  change: ChangeShape,
  presence: PresentPeople,
  reset: Type.Object({ reason: Type.String({ examples: ['Too much has changed since.'] }) }),
  position: Type.Object({}),
}
