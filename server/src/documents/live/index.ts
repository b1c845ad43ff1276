/**
 * Documents while people edit them: the sessions on `/collab`, how what is typed becomes versions, and how what is
 * written through other doors reaches open editors. The markdown stays the truth; what editors share is derived from it.
 */
export { createLiveEditing, type LiveEditing } from './live-editing.ts'
export { changeShared, replaceShared } from './open-sessions.ts'
