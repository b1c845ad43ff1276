import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { defineEvents, event, MEMBERS, registerEvents, sayEvent } from './event-kinds.ts'

const group = { name: 'thing', title: 'Things', seenBy: MEMBERS }
const Name = { name: Type.String() }
const things = defineEvents(group, {
  named: event(Name, ({ name }, by) => `named {it} “${name}” as ${by}`),
  kept: event({}, 'kept {it}'),
})
const all = Object.values(things)

test('a kind is defined once, and its group once by its owner', () => {
  expect(registerEvents(all).kinds.get('thing.named')).toBe(things.named)
  expect(() => registerEvents([...all, ...all])).toThrow('"thing.named" is defined twice')
  const more = Object.values(defineEvents('thing', { lost: event({}, 'lost {it}') }))
  expect([...registerEvents([...all, ...more]).kinds.keys()]).toEqual(['thing.named', 'thing.kept', 'thing.lost'])
  expect(() => registerEvents(more)).toThrow('"thing.lost" belongs to no group')
  const other = Object.values(defineEvents({ ...group }, { lost: event({}, 'lost {it}') }))
  expect(() => registerEvents([...all, ...other])).toThrow('"thing.*" have two groups')
})

test('only the placeholder of the sentence stands for the subject, not what a person wrote', () => {
  const register = registerEvents(all)
  const said = sayEvent(register, { kind: 'thing.named', payload: { name: 'Find {it}' } }, 'Ada')
  expect(said?.split('{it}')).toEqual(['named ', expect.stringContaining('Find')])
  expect(sayEvent(register, { kind: 'thing.kept', payload: {} }, 'Ada')).toBe('kept {it}')
  expect(sayEvent(register, { kind: 'thing.unheard_of', payload: {} }, 'Ada')).toBeUndefined()
})

test('a payload of another shape, as an import may bring, says nothing', () => {
  const listed = defineEvents(group, { listed: event({ names: Type.Array(Name.name) }, ({ names }) => names.join()) })
  const register = registerEvents(Object.values(listed))
  for (const payload of [{}, { names: null }, { names: 5 }])
    expect(sayEvent(register, { kind: 'thing.listed', payload }, 'Ada')).toBeUndefined()
})
