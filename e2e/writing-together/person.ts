import type { App } from '../../server/src/app.ts'
import { type Editor, openDocument } from '../../server/src/product/live-texts/live.factory.ts'
import type { Member } from '../../server/test/harness.ts'
import { type HeadlessEditor, openHeadless } from './headless-editor.ts'

/** Someone at the editor of the web, connected to the live document. */
export interface Person extends HeadlessEditor {
  name: string
  member: Member
  editor: Editor
  isOnline: boolean
  setOnline(online: boolean): void
}

export async function joinDocument(app: App, member: Member, id: string): Promise<Person> {
  const editor = await openDocument(app, member, id)
  const person: Person = Object.assign(openHeadless(editor.shared), {
    name: member.name,
    member,
    editor,
    isOnline: true,
    setOnline(online: boolean) {
      person.isOnline = online
      if (online) editor.reconnect()
      else editor.disconnect()
    },
  })
  return person
}
