import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { openSql } from './sql.mjs'

/**
 * The floor: the least that a service on `node:http` and `pg` can do for the same requests. It runs one prepared
 * statement and one JSON.stringify for each request, without keys, validation, limits or a log.
 */

const { SOCKET_DIR, PORT, POOL_SIZE, PROJECT_ID } = process.env
const sql = openSql({ host: SOCKET_DIR, port: 5432, user: 'slipway', database: 'slipway', max: Number(POOL_SIZE) })
let [{ last: lastReport }] = await sql`select coalesce(max(feedback_number), 0) as last from bench_floor_feedback_items`
let [{ last: lastNumber }] = await sql`select max(work_order_number) as last from bench_floor_work_orders`

async function get(id) {
  const [row] = await sql`
    select id, work_order_number, title, status, priority, type, phase_id, assignee_id, markdown_content,
      description_snippet, implementation_plan, created_at, updated_at
    from work_orders where project_id = ${PROJECT_ID} and id = ${id}`
  return { data: row }
}

async function list(offset) {
  const rows = await sql`
    select id, work_order_number, title, status, priority, type, phase_id, assignee_id, description_snippet,
      (select live from counters where project_id = ${PROJECT_ID} and name = 'work_order') as total
    from work_orders where project_id = ${PROJECT_ID} order by work_order_number limit 20 offset ${offset}`
  return { items: rows, total: rows[0].total }
}

async function search({ query }) {
  const [first, second] = query.split(' ').map((word) => `%${word}%`)
  const rows = await sql`
    select id, work_order_number, title, status, priority, type, phase_id, assignee_id, description_snippet
    from work_orders where project_id = ${PROJECT_ID}
      and (title ilike ${first} or markdown_content ilike ${first})
      and (title ilike ${second} or markdown_content ilike ${second})
    order by work_order_number limit 20`
  return { items: rows }
}

async function create({ operations: [{ patch }] }) {
  const [row] = await sql`
    insert into bench_floor_work_orders (project_id, id, work_order_number, title, status, priority, type, phase_id,
      assignee_id, markdown_content, description_snippet, created_at, updated_at)
    values (${PROJECT_ID}, ${randomUUID()}, ${++lastNumber}, ${patch.title}, ${patch.status}, ${patch.priority},
      ${patch.type}, ${patch.phase_id}, ${patch.assignee_id}, ${patch.markdown_content},
      ${patch.markdown_content.slice(0, 200)}, now(), now())
    returning id, work_order_number`
  return { data: row }
}

async function getDocument(id) {
  const [row] = await sql`
    select id, kind, tree_id, parent_id, paired_with, title, updated_at, version_id, version_number, markdown_content
    from documents where project_id = ${PROJECT_ID} and id = ${id}`
  return { data: row }
}

async function listDocuments(offset) {
  const rows = await sql`
    select id, kind, tree_id, parent_id, paired_with, title, updated_at,
      (select live from counters where project_id = ${PROJECT_ID} and name = 'blueprint') as total
    from documents where project_id = ${PROJECT_ID} and kind = 'blueprint' order by id limit 20 offset ${offset}`
  return { items: rows, total: rows[0].total }
}

async function patchDocument(id, { markdown_content: content }) {
  const versionId = randomUUID()
  const [row] = await sql.begin(async (tx) => {
    const updated = await tx`
      update bench_floor_documents set markdown_content = ${content}, version_id = ${versionId},
        version_number = version_number + 1, updated_at = now()
      where project_id = ${PROJECT_ID} and id = ${id} returning id, version_number`
    await tx`
      insert into bench_floor_document_versions (project_id, document_id, id, version_number, markdown_content,
        origin_type, origin_name, created_at)
      values (${PROJECT_ID}, ${id}, ${versionId}, ${updated[0].version_number}, ${content}, 'external_api',
        'External API', now())`
    return updated
  })
  return { data: { id: row.id, version_number: row.version_number, markdown_content: content } }
}

async function listItems(offset, status) {
  const rows = status
    ? await sql`
        select id, feedback_number, title, status, end_user_email, created_at,
          (select count(*)::int from feedback_items where project_id = ${PROJECT_ID} and status = ${status}) as total
        from feedback_items where project_id = ${PROJECT_ID} and status = ${status}
        order by feedback_number desc limit 20 offset ${offset}`
    : await sql`
        select id, feedback_number, title, status, end_user_email, created_at,
          (select live from counters where project_id = ${PROJECT_ID} and name = 'feedback_item') as total
        from feedback_items where project_id = ${PROJECT_ID} order by feedback_number desc limit 20 offset ${offset}`
  return { items: rows, total: rows[0].total }
}

async function listThemes(status) {
  const rows = status
    ? await sql`
        select id, theme_number, title, status, type, priority, quote_count, feature_id, assignee_id
        from themes where project_id = ${PROJECT_ID} and status = ${status} order by theme_number desc`
    : await sql`
        select id, theme_number, title, status, type, priority, quote_count, feature_id, assignee_id
        from themes where project_id = ${PROJECT_ID} order by theme_number desc`
  return { items: rows }
}

async function report({ end_user_email, content }) {
  const [row] = await sql`
    insert into bench_floor_feedback_items (project_id, id, feedback_number, title, status, end_user_email,
      markdown_content, created_at)
    values (${PROJECT_ID}, ${randomUUID()}, ${++lastReport}, ${content.slice(0, 80)}, 'to_process', ${end_user_email},
      ${content}, now())
    returning feedback_number`
  return row
}

function readJson(req) {
  return new Promise((resolve, reject) => {
    const chunks = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())))
    req.on('error', reject)
  })
}

function answer(req) {
  const { method, url } = req
  if (url.includes('/feedback')) return answerFeedback(req)
  if (method === 'POST') return readJson(req).then(url.endsWith('/search') ? search : create)
  const id = url.slice(url.lastIndexOf('/') + 1)
  if (method === 'PATCH') return readJson(req).then((body) => patchDocument(id, body))
  const ofDocuments = url.includes('/blueprints')
  const page = url.indexOf('&page=')
  if (page > 0) return (ofDocuments ? listDocuments : list)((Number(url.slice(page + 6)) - 1) * 20)
  return (ofDocuments ? getDocument : get)(id)
}

function answerFeedback(req) {
  const { method, url } = req
  if (method === 'POST') return readJson(req).then(report)
  const status = /[?&]status=(\w+)/.exec(url)?.[1]
  if (url.includes('/themes')) return listThemes(status)
  return listItems((Number(url.slice(url.indexOf('&page=') + 6)) - 1) * 20, status)
}

const server = http.createServer((req, res) => {
  answer(req).then(
    (result) => {
      const body = JSON.stringify(result)
      res.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      })
      res.end(body)
    },
    (err) => {
      console.error(err)
      res.writeHead(500).end()
    },
  )
})
server.listen(Number(PORT), '127.0.0.1', () => console.log('The floor listens'))
