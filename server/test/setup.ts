import { afterAll, afterEach } from 'vitest'
import { failOnUndeclaredAnswers, watchAnswers } from './answer-watch.ts'
import { endOfFile, endOfTest } from './clean-up.ts'
import { failOnWaitingTransactions, watchTransactions } from './transaction-watch.ts'

watchTransactions()
watchAnswers()
afterEach(endOfTest)
afterEach(failOnWaitingTransactions)
afterEach(failOnUndeclaredAnswers)
afterAll(endOfFile)
