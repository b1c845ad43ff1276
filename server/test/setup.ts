import fc from 'fast-check'
import { afterAll, afterEach } from 'vitest'
import { failOnUndeclaredAnswers, watchAnswers } from './answer-watch.ts'
import { endOfFile, endOfTest } from './clean-up.ts'
import { failOnWaitingTransactions, watchTransactions } from './transaction-watch.ts'

// A change is judged by the same generated examples each time. PROPERTY_SEED=random looks for new ones.
const { PROPERTY_SEED = '1' } = process.env
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) })

watchTransactions()
watchAnswers()
afterEach(endOfTest)
afterEach(failOnWaitingTransactions)
afterEach(failOnUndeclaredAnswers)
afterAll(endOfFile)
