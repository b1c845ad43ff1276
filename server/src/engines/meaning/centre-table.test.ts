import { describe, expect, it } from 'vitest'
import { CentreTable } from './centre-table.ts'
import { MEANING } from './features.ts'

/** Returns a vector along one axis. */
const pointing = (direction: number, length = 1) => {
  const vector = new Float32Array(MEANING)
  vector[direction % MEANING] = length
  return vector
}

describe('a table of centres', () => {
  it('finds the nearest centres, also after growing', () => {
    const table = new CentreTable()
    for (let i = 0; i < 600; i++) table.set(`theme ${i}`, pointing(i))
    table.set('near', pointing(7, 0.5))
    expect(table.nearest(pointing(7), 2)).toEqual(['theme 7', 'near'])
    expect(table.nearest(pointing(599), 1)).toEqual(['theme 599'])
  })

  it('forgets deleted centres and reuses their slots', () => {
    const table = new CentreTable()
    for (let i = 0; i < 10; i++) table.set(`theme ${i}`, pointing(i))
    table.delete('theme 3')
    expect(table.has('theme 3')).toBe(false)
    expect(table.nearest(pointing(3), 10)).not.toContain('theme 3')
    table.set('new', pointing(3))
    table.set('last', pointing(11))
    expect(table.nearest(pointing(3), 1)).toEqual(['new'])
    expect(table.nearest(pointing(11), 1)).toEqual(['last'])
    expect(table.nearest(pointing(9), 1)).toEqual(['theme 9'])
  })

  it('can be cleared', () => {
    const table = new CentreTable()
    table.set('one', pointing(1))
    table.clear()
    expect(table.nearest(pointing(1), 5)).toEqual([])
  })
})
