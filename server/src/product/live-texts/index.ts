import type { Slice } from '../../kernel/slice.ts'
import { prepareDocument } from './prepare-document.ts'
import { PREPARE_DOCUMENT } from './prepare-later.ts'

/**
 * Live editing of texts: sessions on `/collab`, how typing reaches the owners of texts, and how other writes reach open
 * editors. The markdown is authoritative; the state that editors share is derived from it. The owners are slices to the
 * left; they say how their texts are locked and written (`LiveTexts`).
 */
export const liveTexts: Slice = {
  name: 'live-texts',
  jobs: { [PREPARE_DOCUMENT]: { run: prepareDocument } },
}

export { registerLiveStateRoute } from './app-api.ts'
export { createLiveEditing, type LiveEditing } from './live-editing.ts'
export { changeShared, replaceShared } from './open-sessions.ts'
export { prepareLater } from './prepare-later.ts'
export type { People, Person, SocketRequest } from './sockets/admission.ts'
