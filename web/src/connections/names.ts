import { codeOf } from '../lib/kinds.ts'
import type { Connection } from './api.ts'

export const codeOfConnection = ({ resource_type, number }: Connection) => codeOf({ kind: resource_type, number })

export const nameOf = (one: Connection) => [codeOfConnection(one), one.title].filter(Boolean).join(' ')
