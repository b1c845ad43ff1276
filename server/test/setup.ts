import { afterAll, afterEach } from 'vitest'
import { endOfFile, endOfTest } from './clean-up.ts'

afterEach(endOfTest)
afterAll(endOfFile)
