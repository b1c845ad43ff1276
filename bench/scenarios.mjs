import { API, draft } from './seed.mjs'
import { randomSource, searchWords } from './words.mjs'

/**
 * What is asked. Both contenders get the very same requests.
 * @typedef {{ method: string, path: string, body?: string }} Request
 * @typedef {{ ids: string[], phases: string[], labels: string[], users: string[], pages: number }} Seeded
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} says
 * @property {number} [goal] the least ratio of requests per second, server to floor
 * @property {(random: import('./words.mjs').RandomSource, seeded: Seeded) => Request} request
 */

/** p99 of the server to p99 of the floor, for the scenarios that have a goal. */
export const P99_GOAL = 2
export const MEMORY_GOAL_MB = 250

const list = (page) => ({ method: 'GET', path: `${API}/work_orders?page_size=20&page=${page}` })
let created = 0

/** `create` comes last: it lets the table grow. @type {Scenario[]} */
export const scenarios = [
  {
    name: 'get',
    says: 'one work order by its id, any of them',
    goal: 0.75,
    request: (random, { ids }) => ({ method: 'GET', path: `${API}/work_orders/${random.pick(ids)}` }),
  },
  {
    name: 'list',
    says: '20 work orders and the total, one of the first 10 pages',
    goal: 0.7,
    request: (random) => list(1 + random.below(10)),
  },
  {
    name: 'list-deep',
    says: '20 work orders and the total, any page',
    request: (random, { pages }) => list(1 + random.below(pages)),
  },
  {
    name: 'search',
    says: 'up to 20 work orders that have both of two words',
    request: (random) => ({
      method: 'POST',
      path: `${API}/work_orders/search`,
      body: JSON.stringify({ query: searchWords(random) }),
    }),
  },
  {
    name: 'create',
    says: 'one new work order of 1 KB',
    request: (random, seeded) => ({
      method: 'POST',
      path: `${API}/work_orders/batch_create`,
      body: JSON.stringify({
        request_id: `${process.pid}-${++created}`,
        operations: [{ operation_id: 'o', operation_type: 'CreateWorkOrder', patch: draft(random, seeded) }],
      }),
    }),
  },
]

/** Requests that only read are prepared once for each connection; each one that writes is made anew. */
export const isWrite = (scenario) => scenario.name === 'create'

/** @param {Scenario} scenario @param {Seeded} seeded */
export function requestSource(scenario, seeded, seed) {
  const random = randomSource(seed)
  return () => scenario.request(random, seeded)
}
