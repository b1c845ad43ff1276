import { expect, test } from 'vitest'
import { TEMPLATES } from '../templates.ts'
import { kitOf } from '../words.ts'
import { changeOf, missingIn, newValues } from './draft.ts'

test('only what a person changed is sent', () => {
  const before = newValues(undefined)
  expect(changeOf(before, { ...before, name: 'Digest', approval: 'none' })).toEqual({
    name: 'Digest',
    approval: 'none',
  })
  expect(changeOf(before, structuredClone(before))).toEqual({})
})

test('every template is whole as it is, asks first and never deletes', () => {
  expect(missingIn(newValues(undefined))).toEqual(['a name', 'instructions'])
  for (const { id } of TEMPLATES) {
    const values = newValues(id)
    expect([id, missingIn(values), values.approval]).toEqual([id, [], 'required'])
    expect(Object.values(kitOf(values.tool_kit.permission_overrides)).some((rights) => rights.delete)).toBe(false)
    expect(values.triggers.length).toBeGreaterThan(0)
  }
})
