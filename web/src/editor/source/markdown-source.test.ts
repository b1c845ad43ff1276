import { expect, test } from 'vitest'
import type { Draft } from '../../lib/drafts.ts'
import { createMarkdownSource, type Stored } from './markdown-source.ts'
import { sourceFault } from './source-fault.ts'

/** A server with one text, and a device that remembers a draft across reloads. */
function world(first: string) {
  let stored: Stored = { text: first, etag: '1' }
  const device: { draft?: Draft | undefined } = {}
  const server = { isAway: false, before: () => {} }
  const write = (text: string) => {
    stored = { text, etag: String(Number(stored.etag) + 1) }
    return stored
  }
  const open = () => {
    const source = createMarkdownSource({
      findFault: sourceFault,
      async send(text, etag) {
        server.before()
        if (server.isAway) throw Object.assign(new Error('Offline'), { status: 0 })
        if (etag !== stored.etag) throw Object.assign(new Error('Changed'), { status: 412 })
        return write(text)
      },
      reload: async () => stored,
      drafts: {
        find: () => device.draft,
        keep: (text, from) => {
          device.draft = { text, from, at: 0 }
        },
        drop: () => {
          device.draft = undefined
        },
      },
    })
    source.receive(stored)
    return source
  }
  return { open, server, device, write, text: () => stored.text }
}

test('an open code block is not saved, says so with its line, and is saved once it is closed', async () => {
  const { open, text, device } = world('One\n')
  const source = open()
  source.type('One\n\n```\ncode\n')
  expect(source.state.get().is).toBe('saving')
  await source.save()
  expect(source.state.get()).toEqual({ is: 'invalid', reason: expect.stringMatching(/code block.*\(line 3\)$/) })
  expect([text(), device.draft?.text]).toEqual(['One\n', 'One\n\n```\ncode\n'])
  source.type('One\n\n```\ncode\n```\n')
  await source.save()
  expect(source.state.get()).toEqual({ is: 'saved' })
  expect([text(), device.draft]).toEqual(['One\n\n```\ncode\n```\n', undefined])
})

test('every key is kept on the device, over a reload, and saved when it is opened again', async () => {
  const { open, text, device } = world('One\n')
  open().type('One\n\nTwo\n')
  expect(device.draft?.text).toBe('One\n\nTwo\n')
  const again = open()
  expect(again.text.get()).toBe('One\n\nTwo\n')
  expect(again.state.get().is).toBe('saving')
  await again.save()
  expect([text(), again.state.get().is]).toEqual(['One\n\nTwo\n', 'saved'])
})

test('without the server the text waits, and nothing says that it is saved', async () => {
  const { open, text, server } = world('One\n')
  const source = open()
  server.isAway = true
  source.type('One, two\n')
  await source.save()
  expect([source.state.get().is, source.isKept()]).toEqual(['waiting', true])
  server.isAway = false
  await source.save()
  expect([source.state.get().is, text()]).toEqual(['saved', 'One, two\n'])
})

test('what is typed while a save is on its way is saved after it', async () => {
  const { open, text, server } = world('One\n')
  const source = open()
  source.type('One 1\n')
  server.before = () => {
    server.before = () => {}
    source.type('One 12\n')
  }
  await source.save()
  expect([source.state.get().is, text()]).toEqual(['saved', 'One 12\n'])
})

test('a kept text is merged with what others wrote since, or asks where both changed the same lines', async () => {
  const { open, write, text } = world('One\n\nTwo\n\nThree\n')
  open().type('One mine\n\nTwo\n\nThree\n')
  write('One\n\nTwo\n\nThree theirs\n')
  const merged = open()
  await merged.save()
  expect(text()).toBe('One mine\n\nTwo\n\nThree theirs\n')
  merged.type('One mine\n\nTwo mine\n\nThree theirs\n')
  write('One mine\n\nTwo theirs\n\nThree theirs\n')
  await merged.save()
  expect(merged.state.get()).toMatchObject({ is: 'conflict', theirs: { text: expect.stringContaining('Two theirs') } })
  expect(merged.text.get()).toContain('Two mine')
  await merged.save()
  expect(text()).toContain('Two theirs')
  merged.keepMine()
  await merged.save()
  expect(text()).toContain('Two mine')
})
