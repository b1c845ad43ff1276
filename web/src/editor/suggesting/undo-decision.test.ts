import type { HocuspocusProvider } from '@hocuspocus/provider'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import type { LiveDocument } from '../live-document.ts'
import { followDecision } from './undo-decision.ts'

/** An editor with one line, and a server that writes into it. */
function open(line: string) {
  const server = new Y.Doc()
  const text = new Y.XmlText(line)
  server.getXmlFragment('default').insert(0, [text])
  const shared = new Y.Doc()
  const provider = {} as HocuspocusProvider
  const waiting: Uint8Array[] = []
  Y.applyUpdate(shared, Y.encodeStateAsUpdate(server), provider)
  server.on('update', (update) => waiting.push(update))
  const fragment = shared.getXmlFragment('default')
  const shown = () => (fragment.get(0) as Y.XmlText).toString()
  const live = { fragment, provider } as unknown as LiveDocument
  const arrive = async () => {
    for (const update of waiting.splice(0)) Y.applyUpdate(shared, update, provider)
    await Promise.resolve()
  }
  return { text, shown, arrive, follow: () => followDecision(live, () => shown().split('[old]').length - 1) }
}

test('undoing a decision brings back what it took, and leaves what others typed before and after', async () => {
  const { text, shown, arrive, follow } = open('Keep [old] this')
  const decision = follow()
  text.insert(0, 'Before. ')
  text.delete(text.length - 10, 6)
  text.insert(text.length, ' After.')
  await arrive()
  expect(shown()).toBe('Before. Keep this After.')
  decision.undo()
  expect(shown()).toBe('Before. Keep [old] this After.')
})

test('a decision that is undone before its change has arrived is undone when it does', async () => {
  const { text, shown, arrive, follow } = open('Keep [old] this')
  const decision = follow()
  decision.undo()
  text.delete(5, 6)
  await arrive()
  expect(shown()).toBe('Keep [old] this')
})
