import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let leave: () => void
let deletion: typeof import('./delete-with-undo.ts')
let toasts: typeof import('./toasts.ts')
const send = vi.fn()

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  vi.stubGlobal('addEventListener', (_: string, run: () => void) => {
    leave = run
  })
  send.mockReset()
  deletion = await import('./delete-with-undo.ts')
  toasts = await import('./toasts.ts')
  deletion.deleteWithUndo('comment', 'Comment deleted', send)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('what is deleted is hidden at once, and the server is told when Undo is no longer offered', () => {
  expect([...deletion.leaving.get().keys()]).toEqual(['comment'])
  expect(send).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(send).toHaveBeenCalledOnce()
  expect(deletion.leaving.get().size).toBe(0)
})

test('Undo shows it again, and nothing is sent', () => {
  toasts.toasts.get()[0]!.offer!.undo()
  vi.runAllTimers()
  leave()
  expect(deletion.leaving.get().size).toBe(0)
  expect(send).not.toHaveBeenCalled()
})

test('leaving the page deletes at once, and only once', () => {
  leave()
  vi.runAllTimers()
  expect(send).toHaveBeenCalledOnce()
})
