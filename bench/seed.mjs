import { markdown, randomSource, title } from './words.mjs'

export const API = '/v2/external-api'
export const REPORTING_API = '/v2/reporting-api'
export const WORK_ORDER_BYTES = 1024
export const DOCUMENT_BYTES = 4096
export const REPORT_BYTES = 400

const BATCH = 500
const AT_ONCE = 8
const PHASES = ['Discovery', 'First release', 'Hardening', 'Later']
const LABELS = {
  checkout: 'red',
  search: 'orange',
  speed: 'yellow',
  docs: 'green',
  api: 'teal',
  ui: 'blue',
  data: 'pink',
}
const STATUSES = ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed']
const PRIORITIES = ['no_priority', 'low', 'medium', 'high', 'urgent']
const TYPES = ['none', 'build', 'fix', 'design', 'research', 'test', 'documentation', 'chore']

/**
 * Returns the fields of a new work order: a phase, an assignee for two of three, and up to three labels.
 * @param {import('./words.mjs').RandomSource} random
 * @param {{ phases: string[], labels: string[], users: string[] }} known the ids there are
 */
export function draft(random, { phases, labels, users }) {
  return {
    title: title(random),
    markdown_content: markdown(random, WORK_ORDER_BYTES),
    status: random.pick(STATUSES),
    priority: random.pick(PRIORITIES),
    type: random.pick(TYPES),
    phase_id: random.pick(phases),
    assignee_id: random.next() < 2 / 3 ? random.pick(users) : null,
    label_ids: [...new Set(Array.from({ length: random.below(4) }, () => random.pick(labels)))],
  }
}

/** Creates blueprints in the category Custom. @param {import('./processes.mjs').Server} server */
export async function seedDocuments(server, howMany) {
  const random = randomSource(2)
  const ids = []
  while (ids.length < howMany) {
    const together = Array.from({ length: Math.min(AT_ONCE, howMany - ids.length) }, () =>
      server.call('POST', `${API}/blueprints`, {
        title: title(random),
        markdown_content: markdown(random, DOCUMENT_BYTES),
      }),
    )
    for (const { data } of await Promise.all(together)) ids.push(data.id)
  }
  return ids
}

/**
 * Fills an empty server as its clients would: labels and phases on its command line, work orders through its API.
 * @param {import('./processes.mjs').Server} server
 * @param {number} howMany
 */
export async function seed(server, howMany) {
  const project = 'My project'
  const phases = []
  for (const name of PHASES) phases.push(await server.admin('phase', 'add', '--project', project, '--title', name))
  const labels = []
  for (const [name, color] of [...Object.entries(LABELS), ['chore', 'gray']])
    labels.push(await server.admin('label', 'add', '--project', project, '--title', name, '--color', color))
  const users = (await server.call('GET', `${API}/users`)).items
  const known = { phases: phases.map(idOf), labels: labels.map(idOf), users: users.map(idOf) }

  const random = randomSource(1)
  const ids = []
  while (ids.length < howMany) {
    const operations = Array.from({ length: Math.min(BATCH, howMany - ids.length) }, (_, index) => ({
      operation_id: `o${index}`,
      operation_type: 'CreateWorkOrder',
      patch: draft(random, known),
    }))
    const request_id = `seed-${ids.length}`
    const answer = await server.call('POST', `${API}/work_orders/batch_create`, { request_id, operations })
    if (answer.status !== 'Succeeded') throw new Error(`The seed was refused: ${JSON.stringify(answer).slice(0, 500)}`)
    for (const { operation_id } of operations) ids.push(answer.results[operation_id].work_order_id)
  }
  return { ...known, ids }
}

const THEME_TYPES = ['bug', 'feature_request', 'improvement', 'performance', 'question', 'other']

/** Returns a report by a customer. @param {import('./words.mjs').RandomSource} random */
export const report = (random) => ({
  end_user_email: `customer${random.below(1_000)}@example.org`,
  content: markdown(random, REPORT_BYTES),
})

/**
 * Creates reports and themes: every third item has a theme, every second theme a work order, two of three an assignee.
 * @param {import('./processes.mjs').Server} server
 * @param {{ ids: string[] }} seeded
 */
export async function seedFeedback(server, { ids }, howManyItems, howManyThemes) {
  const random = randomSource(2)
  const inTurns = async (count, run) => {
    let next = 0
    const keepOn = async () => {
      while (next < count) await run(next++)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, keepOn))
  }
  await inTurns(howManyItems, () => server.call('POST', `${REPORTING_API}/feedback`, report(random)))
  const [user] = (await server.call('GET', `${API}/users`)).items
  const themes = []
  await inTurns(howManyThemes, async (index) => {
    const values = { title: title(random), type: random.pick(THEME_TYPES), priority: random.pick(PRIORITIES) }
    const body = { ...values, description: markdown(random, 200) }
    const { data } = await server.call('POST', `${API}/feedback/themes`, body)
    const path = `${API}/feedback/themes/${data.id}`
    if (index % 2 === 0) await server.call('POST', `${path}/work_orders`, { work_order_id: random.pick(ids) })
    if (index % 3 !== 0) await server.call('PUT', `${path}/assignee`, { user_id: user.id })
    themes.push(data.id)
  })
  const items = []
  for (let page = 1; items.length < howManyItems / 3; page++)
    items.push(...(await server.call('GET', `${API}/feedback/items?page_size=100&page=${page}`)).items.map(idOf))
  await inTurns(items.length, (index) =>
    server.call('POST', `${API}/feedback/themes/${random.pick(themes)}/feedback_links`, {
      feedback_item_id: items[index],
    }),
  )
}

const idOf = (one) => one.id
