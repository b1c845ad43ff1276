import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually, openWorkspace } from '../../../test/harness.ts'
import { addBlueprint, openDocument } from './live.factory.ts'

/** Records the workers that start from now on. */
function watchWorkers(): Worker[] {
  const workers: Worker[] = []
  const note = (message: unknown) => void workers.push((message as { worker: Worker }).worker)
  subscribe('worker_threads', note)
  onTestFinished(() => void unsubscribe('worker_threads', note))
  return workers
}

/** Opens an editor on a document that says "one". Also returns the threads that have started since. */
async function openOne() {
  const workspace = await openWorkspace()
  onTestFinished(() => workspace.close())
  const { admin } = await workspace.project()
  const workers = watchWorkers()
  const id = await addBlueprint(admin, 'one\n')
  const editor = await openDocument(workspace.app, admin, id)
  return { app: workspace.app, admin, workers, id, editor }
}

test('an editor whose thread ends continues in another one with everything that was typed', async () => {
  const { admin, workers, id, editor } = await openOne()
  const thread = workers[0]!
  editor.type(0, ' two')
  await thread.terminate()
  editor.type(0, ' three')
  await eventually(async () => {
    const { body } = await admin.api.get(`/blueprints/${id}`)
    return body.data.markdown_content === 'one two three\n'
  })
  expect(workers.length).toBeGreaterThan(1)
  const written = await admin.api.patch(`/blueprints/${id}`, { markdown_content: 'four\n' })
  expect(written.status).toBe(200)
  await eventually(() => editor.text() === 'four')
})

test('the thread ends some time after the last editor leaves, and the next editor starts another', async () => {
  const { app, admin, workers, id, editor } = await openOne()
  editor.type(0, ' two')
  await eventually(() => editor.isSent())
  const [thread] = workers
  let isOver = false
  void once(thread!, 'exit').then(() => {
    isOver = true
  })

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  editor.disconnect()
  // Not faster: the save in progress has a deadline on the same clock.
  for (let movedAt = performance.now(); !isOver; await nextTurn()) {
    if (performance.now() - movedAt < 20) continue
    vi.advanceTimersByTime(1_000)
    movedAt = performance.now()
  }
  vi.useRealTimers()

  const next = await openDocument(app, admin, id)
  expect(next.text()).toBe('one two')
  expect(workers.length).toBeGreaterThan(1)
})
