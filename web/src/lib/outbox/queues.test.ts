import { expect, test, vi } from 'vitest'
import { connection, define, outbox, problem, reloadTab, states, type Text, toasts } from './tabs.factory.ts'

/** The text names the subject: "wo-1 first". */
const about = ({ text }: Text) => ({ text, subjects: [text.split(' ')[0]!] })

/** A server whose answers are given by hand. */
function slowServer() {
  const sent: string[] = []
  const answers = new Map<string, { resolve(): void; reject(err: Error): void }>()
  const save = define({
    about,
    send: ({ text }) =>
      new Promise<void>((resolve, reject) => {
        sent.push(text)
        answers.set(text, { resolve, reject })
      }),
  })
  return { sent, answers, save: (text: string) => save('p', { text }) }
}

test('a write that gets no answer yet holds up those of its subject, in their order, and no others', async () => {
  const { sent, answers, save } = slowServer()
  for (const text of ['wo-1 first', 'wo-1 second', 'wo-2 first', 'wo-1 third']) void save(text)
  expect(sent).toEqual(['wo-1 first', 'wo-2 first'])
  answers.get('wo-2 first')!.resolve()
  await vi.waitFor(() => expect(states()).toEqual(['sending', 'waiting', 'waiting']))
  expect(sent).toEqual(['wo-1 first', 'wo-2 first'])
  answers.get('wo-1 first')!.resolve()
  await vi.waitFor(() => expect(sent.at(-1)).toBe('wo-1 second'))
  answers.get('wo-1 second')!.resolve()
  await vi.waitFor(() => expect(sent.at(-1)).toBe('wo-1 third'))
})

test('a write on two subjects waits for both, and both wait for it', async () => {
  const sent: string[] = []
  const answers = new Map<string, () => void>()
  const save = define({
    about: ({ text }) => ({ text, subjects: text.split('+') }),
    send: ({ text }) =>
      new Promise<void>((resolve) => {
        sent.push(text)
        answers.set(text, resolve)
      }),
  })
  for (const text of ['a', 'b', 'a+b', 'b']) void save('p', { text })
  expect(sent).toEqual(['a', 'b'])
  answers.get('a')!()
  answers.get('b')!()
  await vi.waitFor(() => expect(sent).toEqual(['a', 'b', 'a+b']))
  answers.get('a+b')!()
  await vi.waitFor(() => expect(sent).toEqual(['a', 'b', 'a+b', 'b']))
})

test('a write that the server refuses does not hold up the next one of its subject', async () => {
  const refused = define({ about, send: () => Promise.reject(problem(422)) })
  const outcomes = [refused('p', { text: 'wo-1 bad' }), define({ about })('p', { text: 'wo-1 good' })]
  expect(await Promise.all(outcomes)).toMatchObject([{ state: 'failed' }, { state: 'saved' }])
})

test('writes that never get an answer do not keep others from being sent, however many they are', async () => {
  const sent: string[] = []
  const save = define({
    about,
    async send({ text }) {
      if (text.endsWith('lost')) throw problem(0)
      sent.push(text)
    },
  })
  for (let count = 1; count <= 9; count++) void save('p', { text: `wo-${count} lost` })
  await vi.waitFor(() => expect(connection.get().isOnline).toBe(false))
  expect(await save('p', { text: 'wo-10 fine' })).toMatchObject({ state: 'waiting' })
  await vi.waitFor(
    () => {
      outbox.tryNow()
      expect(sent).toEqual(['wo-10 fine'])
    },
    { timeout: 5_000 },
  )
  expect(states()).toHaveLength(9)
})

test('one lost answer does not count as a lost connection while others get theirs', async () => {
  const { answers, save } = slowServer()
  const lost = save('wo-1 lost')
  const fine = save('wo-2 fine')
  answers.get('wo-2 fine')!.resolve()
  await fine
  answers.get('wo-1 lost')!.reject(problem(0))
  expect(await lost).toMatchObject({ state: 'waiting' })
  expect(connection.get().isOnline).toBe(true)
})

test('what was made while the server seemed to be away is tried again without anybody asking for it', async () => {
  vi.useFakeTimers()
  try {
    const { setOnline } = await import('../connection.ts')
    setOnline(false)
    const sent = vi.fn(async () => undefined)
    expect(await define({ about, send: sent })('p', { text: 'wo-1 new' })).toMatchObject({ state: 'waiting' })
    await vi.advanceTimersByTimeAsync(2_500)
    expect(sent).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
  }
})

test.each([0, 422, 500])(
  'a write that does not wait fails at once with status %s, and is stored nowhere',
  async (status) => {
    const shown: string[] = []
    const save = define({
      waits: false,
      send: () => Promise.reject(problem(status)),
      show: () => shown.push('shown'),
      hide: () => shown.push('hidden'),
    })
    const attempt = save('p', { text: 'a role' })
    expect(JSON.stringify(localStorage)).not.toContain('a role')
    expect(await attempt).toMatchObject({ state: 'failed', fault: { status } })
    expect(shown).toEqual(['shown', 'hidden'])
    expect(states()).toEqual([])
    await reloadTab()
    expect(states()).toEqual([])
  },
)

test('a write that does not wait is attempted although the server seems to be away', async () => {
  const { setOnline } = await import('../connection.ts')
  setOnline(false)
  expect(await define({ waits: false })('p', { text: 'a' })).toMatchObject({ state: 'saved' })
  expect(connection.get().isOnline).toBe(true)
})

test.each([true, false])(
  'a failure is one message, and its Retry shows the change again and sends it with the same key (waits: %s)',
  async (waits) => {
    const keys: string[] = []
    let shown = 'before'
    const save = define({
      waits,
      async send(_, { key }) {
        keys.push(key)
        if (keys.length === 1) throw problem(500)
        expect(shown).toBe('after')
      },
      show: () => {
        shown = 'after'
      },
      hide: () => {
        shown = 'before'
      },
      failure: () => 'Not changed',
    })
    expect(await save('p', { text: 'a' })).toMatchObject({ state: 'failed' })
    expect(shown).toBe('before')
    expect(toasts.get()).toMatchObject([{ text: 'Not changed', detail: 'Status 500.' }])
    const { run } = toasts.get()[0]!.action!
    run()
    run()
    await vi.waitFor(() => expect(states()).toEqual([]))
    expect(shown).toBe('after')
    expect(keys).toEqual([keys[0], keys[0]])
  },
)

test('whoever retries in place learns what became of it', async () => {
  let count = 0
  const save = define({
    waits: false,
    async send() {
      if (++count === 1) throw problem(503)
      return 'a secret'
    },
  })
  const outcome = await save('p', { text: 'a' })
  expect(outcome.state === 'failed' && (await outcome.retry())).toMatchObject({ state: 'saved', answer: 'a secret' })
})
