import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../../server/dist/kernel/database/index.js'
import { findPostgres, startLoad, startServer } from '../processes.mjs'
import { API } from '../seed.mjs'
import { fill } from './corpus.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
/** Long enough that a single pause of the machine does not decide the p99. */
const SECONDS = Number(process.env.SECONDS ?? 30)

/** Measures GET by id over HTTP alone, beside a process that only counts, and while searches attack the same server. */
export async function measureAttack(dataDir, contents) {
  const server = await startServer(dataDir, [])
  const { socketDir } = await findPostgres(dataDir)
  const sql = connect({ host: socketDir, port: 5432, user: 'slipway', database: 'slipway' }, { max: 2 })
  const [tree] = await sql`select project_id, id, kind from document_trees where kind = 'blueprint' limit 1`
  const documents = await fill(sql, { projectId: tree.project_id, treeId: tree.id, kind: tree.kind }, contents)
  // The first search may time out, but it fills the spool.
  await server.call('POST', `${API}/blueprints/search`, { query: 'zephyrquartz' }).catch(() => undefined)
  await sql.end()

  const load = startLoad({ documents })
  const read = (seconds) => load.measure({ scenario: 'get-document', ...server, connections: 1, seconds, seed: 1 })
  await read(8)
  const rounds = []
  let longestMs = 0
  const answers = {}
  for (let round = 0; round < ROUNDS; round++) {
    const calm = await read(SECONDS)
    const counting = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
    const beside = await read(SECONDS)
    counting.kill()
    const env = { ...process.env, ORIGIN: server.origin, HEADERS: JSON.stringify(server.headers) }
    const attackers = fork(join(import.meta.dirname, 'attackers.mjs'), { env })
    const attacked = await read(SECONDS)
    attackers.send('end')
    const [said] = await once(attackers, 'message')
    longestMs = Math.max(longestMs, said.longestMs)
    for (const [status, count] of Object.entries(said.answers)) answers[status] = (answers[status] ?? 0) + count
    rounds.push({ calm, beside, attacked })
    console.log(
      `reads by id, p50 and p99: alone ${shown(calm)}, beside a busy process ${shown(beside)}, under attack ${shown(attacked)}; p99 to that alone ${ratio(beside, calm)} and ${ratio(attacked, calm)}`,
    )
    await delay(1_000)
  }
  const worst = (of) => Math.max(...rounds.map(({ calm, [of]: other }) => other.p99 / calm.p99))
  console.log(
    `ratio of p99, worst of ${ROUNDS}: under attack ${worst('attacked').toFixed(2)} (goal 2.00), beside a busy process ${worst('beside').toFixed(2)}; longest search ${longestMs.toFixed(0)} ms (deadline 2000), answers ${JSON.stringify(answers)}`,
  )
}

const shown = ({ p50, p99 }) => `${p50.toFixed(2)} and ${p99.toFixed(2)} ms`
const ratio = (one, other) => (one.p99 / other.p99).toFixed(2)
