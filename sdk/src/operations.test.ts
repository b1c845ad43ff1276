import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../server/${name}`, import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }

const idsOf = ({ paths }: Awaited<ReturnType<typeof read>>) =>
  Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))

test('every operation has exactly one method', async () => {
  const folder = new URL('resources/', import.meta.url)
  const sources = await Promise.all((await readdir(folder)).map((file) => readFile(new URL(file, folder), 'utf8')))
  const called = sources.flatMap((text) =>
    [...text.matchAll(/\bcall(?:\.download|\.stream)?\(\s*op\.(\w+)/g)].map(([, id]) => id!),
  )
  const described = [...idsOf(await read('openapi.json')), ...idsOf(await read('openapi.app.json'))]
  expect([...called].sort()).toEqual([...described].sort())
})
