import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { searchDocuments } from '../../server/dist/documents/search/index.js'
import { KIND, PROJECT } from './corpus.mjs'

/**
 * Each is as bad as it can be for some engine: backtracking, many states, large repetitions. None can be answered from
 * the signatures, so that all texts are read, in vain: no word has 25 letters.
 */
const ATTACKS = [
  '(a+)+[a-z]{25}$',
  '(?:[a-z]*){30}(?:a?){200}[b-z]{25}',
  '(.*)(.*)(.*)(.*)(.*)(.*)[a-z]{25}',
  '[a-z ]*e[a-z ]{200}[a-z]{25}',
  'e[a-z ]{60}e[a-z ]{300}\\b[a-z]{25}',
  '(\\w{1000}){1000}',
  '(?:\\w+\\s+){50}[a-z]{25}',
]
const ATTACKERS = 8
const SECONDS = 10
const PACE_MS = 2

/** A GET by id, as far as the database sees it, by itself and while searches attack the same process. */
export async function measureAttack(sql, ids) {
  await measureGets(sql, ids, 2)
  const calm = await measureGets(sql, ids, SECONDS)
  let isOver = false
  const searches = []
  const attackers = Array.from({ length: ATTACKERS }, async (_, number) => {
    for (let turn = number; !isOver; turn++) {
      const started = performance.now()
      const query = ATTACKS[turn % ATTACKS.length]
      const answer = await searchDocuments(sql, { projectId: PROJECT, kind: KIND, query }).then(
        (hits) => `${hits.length} hits`,
        (err) => err.code ?? String(err),
      )
      searches.push({ answer, ms: performance.now() - started })
    }
  })
  const attacked = await measureGets(sql, ids, SECONDS)
  isOver = true
  await Promise.all(attackers)
  const answers = new Map()
  for (const { answer } of searches) answers.set(answer, (answers.get(answer) ?? 0) + 1)
  console.log(
    `GET by id, p50 and p99: ${calm.p50.toFixed(2)} and ${calm.p99.toFixed(2)} ms alone, ${attacked.p50.toFixed(2)} and ${attacked.p99.toFixed(2)} ms under attack, ratio of p99 ${(attacked.p99 / calm.p99).toFixed(2)} (goal 2.00)`,
  )
  console.log(
    `event loop under attack: p99 ${attacked.loopMs.toFixed(1)} ms; longest of ${searches.length} searches ${Math.max(...searches.map((one) => one.ms)).toFixed(0)} ms (deadline 2000): ${[...answers].map(([answer, count]) => `${count} ${answer}`).join(', ')}`,
  )
}

async function measureGets(sql, ids, seconds) {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const times = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const id = ids[(times.length * 7919) % ids.length]
    const started = performance.now()
    await sql`select id, title, markdown_content, version_number, updated_at from documents
      where project_id = ${PROJECT} and id = ${id}`
    times.push(performance.now() - started)
    await delay(PACE_MS)
  }
  loop.disable()
  times.sort((left, right) => left - right)
  const at = (share) => times[Math.floor(times.length * share)]
  return { p50: at(0.5), p99: at(0.99), loopMs: loop.percentile(99) / 1e6 }
}
