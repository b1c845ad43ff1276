import { expect, onTestFinished, test } from 'vitest'
import { openWorkspace } from '../../test/harness.ts'
import { noteSecretKey } from './secret-key.ts'

test('a node learns whether the node that started before it has the same key', async () => {
  const { sql, close } = await openWorkspace()
  onTestFinished(close)
  const [one, other] = ['1'.repeat(32), '2'.repeat(32)]
  expect(await noteSecretKey(sql, one)).toBe(true)
  expect(await noteSecretKey(sql, one)).toBe(true)
  expect(await noteSecretKey(sql, other)).toBe(false)
  expect(await noteSecretKey(sql, other)).toBe(true)
  const [row] = await sql`select secret_key_check from installation`
  expect(row!.secret_key_check).not.toContain(other)
})
