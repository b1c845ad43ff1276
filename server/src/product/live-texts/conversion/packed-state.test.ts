import { expect, it } from 'vitest'
import * as Y from 'yjs'
import { isPacked, packState, unpackState } from './packed-state.ts'

function stateOf(writers: number, text: string): Uint8Array {
  const shared = new Y.Doc()
  for (let writer = 1; writer <= writers; writer++) {
    const own = new Y.Doc()
    own.clientID = writer
    Y.applyUpdate(own, Y.encodeStateAsUpdate(shared))
    own.getText('default').insert(0, text)
    own.getText('default').delete(0, 1)
    Y.applyUpdate(shared, Y.encodeStateAsUpdate(own))
  }
  return Y.encodeStateAsUpdate(shared)
}

it('compresses a large state without loss', () => {
  const state = stateOf(3, 'What was typed, again and again. '.repeat(1_000))
  const packed = packState(state)
  expect(packed.length).toBeLessThan(state.length / 4)
  expect(Buffer.compare(unpackState(packed), state)).toBe(0)
})

it.each([
  ['empty', Y.encodeStateAsUpdate(new Y.Doc())],
  ['small', stateOf(1, 'What was typed')],
  ['of many writers', stateOf(300, 'ab')],
])('does not change a state that is %s', (_, state) => {
  expect(isPacked(state)).toBe(false)
  expect(packState(state)).toBe(state)
  expect(unpackState(state)).toBe(state)
})
