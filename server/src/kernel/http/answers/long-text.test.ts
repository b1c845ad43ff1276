import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Db } from '../../database/index.ts'
import { encodeData } from './long-text.ts'

const LONG = 'A line with "quotes", \\ and 🚀.\n'.repeat(60_000)
const encoding = (project: string, text = LONG) =>
  encodeData(
    { db: { runner: { isTransaction: false } } as Db, actor: { projectId: project } },
    { id: 'x' },
    'text',
    text,
  )
const encode = (project: string, text = LONG) => {
  const body = encoding(project, text)
  return body instanceof Readable ? textOf(body) : Promise.resolve(String(body))
}

test('a text has the same value in pieces, wherever they are cut', async () => {
  for (const text of ['', 'short', LONG, `x${LONG}`, `${'x'.repeat(131_071)}🚀${'x'.repeat(131_071)}\ud83d`])
    expect(JSON.parse(await encode('one', text))).toEqual({ data: { id: 'x', text } })
})

test('a project with one long answer does not wait for the many of another project', async () => {
  let done = 0
  const many = Array.from({ length: 12 }, () => encode('many').then(() => done++))
  await encode('one')
  expect(done).toBe(0)
  await Promise.all(many)
})

test('an answer whose reader has stopped reading does not hold up others of its project', async () => {
  const stopped = encoding('slow') as Readable
  stopped.read(1)
  await encode('slow')
  stopped.destroy()
  await encode('slow')
})
