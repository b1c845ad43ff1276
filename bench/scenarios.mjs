import { API, DOCUMENT_BYTES, draft, REPORTING_API, report } from './seed.mjs'
import { markdown, randomSource, searchWords } from './words.mjs'

/**
 * The requests that both contenders get.
 * @typedef {{ method: string, path: string, body?: string }} Request
 * @typedef {{ ids: string[], phases: string[], labels: string[], users: string[], pages: number, documents: string[] }} Seeded
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} says
 * @property {number} [goal] the minimum ratio of requests per second, server to floor
 * @property {number} [cpuGoal] the maximum ratio of Node's processor time for a request, server to floor
 * @property {boolean} [feedback] needs reports and themes
 * @property {boolean} [writes] each request is different
 * @property {boolean} [reporting] uses the reporting key
 * @property {(random: import('./words.mjs').RandomSource, seeded: Seeded) => Request} request
 */

/** The goal for the p99 of the server relative to the p99 of the floor, for scenarios that have a goal. */
export const P99_GOAL = 2
export const MEMORY_GOAL_MB = 250

const list = (page) => ({ method: 'GET', path: `${API}/work_orders?page_size=20&page=${page}` })
let created = 0

/** Scenarios that write come last, because they make the tables grow. @type {Scenario[]} */
export const scenarios = [
  {
    name: 'get',
    cpuGoal: 2,
    says: 'one work order by its id, any of them',
    goal: 0.75,
    request: (random, { ids }) => ({ method: 'GET', path: `${API}/work_orders/${random.pick(ids)}` }),
  },
  {
    name: 'list',
    cpuGoal: 1.5,
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
    cpuGoal: 6,
    says: 'up to 20 work orders that have both of two words',
    request: (random) => ({
      method: 'POST',
      path: `${API}/work_orders/search`,
      body: JSON.stringify({ query: searchWords(random) }),
    }),
  },
  {
    name: 'get-document',
    cpuGoal: 2,
    says: 'one document of 4 KB by its id, any of them',
    goal: 0.75,
    request: (random, { documents }) => ({ method: 'GET', path: `${API}/blueprints/${random.pick(documents)}` }),
  },
  {
    name: 'list-documents',
    cpuGoal: 1.5,
    says: '20 documents and the total, one of the first 10 pages',
    goal: 0.7,
    request: (random) => ({ method: 'GET', path: `${API}/blueprints?page_size=20&page=${1 + random.below(10)}` }),
  },
  {
    name: 'patch-document',
    cpuGoal: 2,
    says: 'another 4 KB as the next version of any document',
    goal: 0.6,
    writes: true,
    request: (random, { documents }) => ({
      method: 'PATCH',
      path: `${API}/blueprints/${random.pick(documents)}`,
      body: JSON.stringify({ markdown_content: markdown(random, DOCUMENT_BYTES) }),
    }),
  },
  {
    name: 'items',
    says: '20 feedback items and the total, one of the first 10 pages',
    goal: 0.7,
    feedback: true,
    request: (random) => ({ method: 'GET', path: `${API}/feedback/items?page_size=20&page=${1 + random.below(10)}` }),
  },
  {
    name: 'items-status',
    says: 'the same, only those that are to be processed',
    goal: 0.7,
    feedback: true,
    request: (random) => ({
      method: 'GET',
      path: `${API}/feedback/items?status=to_process&page_size=20&page=${1 + random.below(10)}`,
    }),
  },
  {
    name: 'themes',
    says: 'all 1,000 themes',
    goal: 0.7,
    feedback: true,
    request: () => ({ method: 'GET', path: `${API}/feedback/themes` }),
  },
  {
    name: 'themes-some',
    says: 'the 20 themes that are in progress',
    goal: 0.7,
    feedback: true,
    request: () => ({ method: 'GET', path: `${API}/feedback/themes?status=in_progress` }),
  },
  {
    name: 'report',
    says: 'one new report of 400 bytes',
    goal: 0.7,
    feedback: true,
    writes: true,
    reporting: true,
    request: (random) => ({
      method: 'POST',
      path: `${REPORTING_API}/feedback`,
      body: JSON.stringify(report(random)),
    }),
  },
  {
    name: 'create',
    cpuGoal: 4,
    writes: true,
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

/** Reads are prepared once for each connection; writes are built one by one. */
export const isWrite = (scenario) => scenario.writes === true

/** @param {Scenario} scenario @param {Seeded} seeded */
export function requestSource(scenario, seeded, seed) {
  const random = randomSource(seed)
  return () => scenario.request(random, seeded)
}
