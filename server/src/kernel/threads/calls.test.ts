import { MessageChannel } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { AppError } from '../errors.ts'
import { exchangeCalls } from './calls.ts'

interface Numbers {
  double(value: number): Promise<number>
  note(text: string): void
  notes(): string[]
  refuse(): void
  fail(): void
}
interface Nothing {
  greet(name: string): string
}

function connect() {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const noted: string[] = []
  const greeter = exchangeCalls<Nothing, Numbers>(port1, () => ({
    double: async (value) => value * 2,
    note: (text) => void noted.push(text),
    notes: () => noted,
    refuse() {
      throw new AppError(404, 'not_found', 'There is none.', { extra: { errors: [] } })
    },
    fail() {
      throw new TypeError('broken')
    },
  }))
  const numbers = exchangeCalls<Numbers, Nothing>(port2, () => ({ greet: (name) => `Hello, ${name}` }))
  return { numbers, greeter }
}

it('calls functions in both directions', async () => {
  const { numbers, greeter } = connect()
  expect(await numbers.ask('double', 21)).toBe(42)
  expect(await greeter.ask('greet', 'Ada')).toBe('Hello, Ada')
})

it('keeps the order of calls, with or without an answer', async () => {
  const { numbers } = connect()
  for (const text of ['a', 'b', 'c']) numbers.tell('note', text)
  expect(await numbers.ask('notes')).toEqual(['a', 'b', 'c'])
})

it('returns an AppError unchanged, and other errors with their message', async () => {
  const { numbers } = connect()
  const refusal = await numbers.ask('refuse').catch((err) => err)
  expect(refusal).toBeInstanceOf(AppError)
  expect(refusal).toMatchObject({ status: 404, code: 'not_found', message: 'There is none.', extra: { errors: [] } })
  await expect(numbers.ask('fail')).rejects.toThrow('broken')
})

it('continues after a call without an answer fails', async () => {
  const { numbers } = connect()
  numbers.tell('fail')
  expect(await numbers.ask('double', 1)).toBe(2)
})

it('rejects calls that will never be answered', async () => {
  const { numbers } = connect()
  const asked = numbers.ask('double', 1)
  numbers.giveUp(new Error('The thread has ended.'))
  await expect(asked).rejects.toThrow('The thread has ended.')
})
