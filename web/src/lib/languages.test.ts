import { expect, test } from 'vitest'
import { lowlight } from './languages.ts'

test.each(['js', 'ts', 'python', 'sql', 'yaml', 'dockerfile', 'sh', 'tsx', 'cs', 'powershell', 'proto', 'http'])(
  '%s has colors',
  (name) => expect(lowlight.registered(name)).toBe(true),
)
