import { afterAll, afterEach } from 'vitest'
import { endOfFile, endOfTest } from './clean-up.ts'
import { failOnWaitingTransactions, watchTransactions } from './transaction-watch.ts'

watchTransactions()
afterEach(endOfTest)
afterEach(failOnWaitingTransactions)
afterAll(endOfFile)
