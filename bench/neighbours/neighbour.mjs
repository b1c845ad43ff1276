import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { API } from '../seed.mjs'
import { markdown, randomSource } from '../words.mjs'

/** Requests of each kind are due this often, whether or not earlier ones are answered: a stall delays many. */
const EVERY_MS = 100
/** Long enough to be parsed in a thread. */
const DOCUMENT_CHARACTERS = 20_000

/**
 * The neighbour reads, creates a work order and changes a document of 20,000 characters, all at a steady rate.
 * @param {string} origin
 * @param {Record<string, string>} headers
 */
export async function openNeighbour(origin, headers) {
  const agent = new Agent({ keepAlive: true })
  const random = randomSource(9)
  let made = 0

  const ask = (method, path, body) =>
    new Promise((resolve, reject) => {
      const sent = body && JSON.stringify(body)
      const asked = request(origin + API + path, {
        method,
        agent,
        headers: {
          ...headers,
          ...(sent && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
        },
      })
      asked.on('error', reject)
      asked.on('response', async (res) => {
        const text = Buffer.concat(await res.toArray()).toString()
        if (res.statusCode >= 300) reject(new Error(`${method} ${path}: ${res.statusCode} ${text.slice(0, 200)}`))
        else resolve(JSON.parse(text))
      })
      asked.end(sent)
    })

  const create = () =>
    ask('POST', '/work_orders/batch_create', {
      request_id: `neighbour ${++made}`,
      operations: [{ operation_id: 'o', operation_type: 'CreateWorkOrder', patch: { title: 'Beside' } }],
    })
  const content = () => ({ markdown_content: markdown(random, DOCUMENT_CHARACTERS) })
  const { work_order_id: id } = (await create()).results.o
  const { data } = await ask('POST', '/blueprints', { title: 'Neighbour', ...content() })
  const kinds = {
    read: () => ask('GET', `/work_orders/${id}`),
    create,
    'change a document': () => ask('PATCH', `/blueprints/${data.id}`, content()),
  }

  /** Returns the times of each kind in milliseconds, counted from when the request was due. */
  async function measure(seconds) {
    const times = {}
    const faults = []
    const begun = performance.now()
    await Promise.all(
      Object.entries(kinds).map(async ([kind, run], offset) => {
        times[kind] = []
        const sent = []
        for (let count = 0; count * EVERY_MS < seconds * 1_000; count++) {
          const due = begun + count * EVERY_MS + (offset * EVERY_MS) / 3
          await delay(Math.max(due - performance.now(), 0))
          const took = () => void times[kind].push(performance.now() - due)
          sent.push(
            run().then(took, (err) => {
              faults.push(err.message)
              took()
            }),
          )
        }
        await Promise.all(sent)
      }),
    )
    return { times, faults }
  }

  return { kinds: Object.keys(kinds), measure }
}
