/**
 * Live editing of documents: sessions on `/collab`, how typing becomes versions, and how other writes reach open
 * editors. The markdown is authoritative; the state that editors share is derived from it.
 */
export { registerLiveStateRoute } from './app-api.ts'
export { createLiveEditing, type LiveEditing } from './live-editing.ts'
export { changeShared, replaceShared } from './open-sessions.ts'
export { prepareDocument } from './prepare-document.ts'
export { PREPARE_DOCUMENT } from './prepare-later.ts'
export type { People, Person, SocketRequest } from './sockets/admission.ts'
