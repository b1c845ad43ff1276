import { expect, test } from 'vitest'
import { TEMPLATES } from '../templates.ts'
import { kitOf } from '../words.ts'
import { changeOf, conflictsOf, missingIn, newValues, rebased } from './draft.ts'

test('only what a person changed is sent', () => {
  const before = newValues(undefined)
  expect(changeOf(before, { ...before, name: 'Digest', approval: 'none' })).toEqual({
    name: 'Digest',
    approval: 'none',
  })
  expect(changeOf(before, structuredClone(before))).toEqual({})
})

test('what somebody else changes arrives in a draft, and conflicts only where both changed the same differently', () => {
  const base = newValues(undefined)
  const draft = { base, values: { ...base, name: 'Digest', user_prompt: 'Mine.', approval: 'none' as const } }
  const stored = { ...base, user_prompt: 'Theirs.', approval: 'none' as const, model: 'qwen3:32b' }
  const now = rebased(stored, draft)
  expect(now.values).toEqual({ ...draft.values, model: 'qwen3:32b' })
  expect(conflictsOf(stored, now)).toEqual(['user_prompt'])
  const onTop = { ...now, values: { ...now.values, model: 'qwen3:8b' } }
  expect(conflictsOf(stored, rebased(stored, onTop))).toEqual(['user_prompt'])
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
