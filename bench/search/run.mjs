/** What is measured and how to run it: see README.md beside this file. */
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchDocuments } from '../../server/dist/documents/search/index.js'
import { signDocuments } from '../../server/dist/documents/search/signatures.js'
import { openEmbeddedPostgres } from '../../server/dist/engines/embedded-postgres/index.js'
import { connect } from '../../server/dist/kernel/database/index.js'
import { migrate } from '../../server/dist/kernel/database/migrate.js'
import { stopAll } from '../processes.mjs'
import { measureAttack } from './attack.mjs'
import { addProject, fill, KIND, PROJECT } from './corpus.mjs'
import { measureWrites } from './writes.mjs'

const DOCUMENTS = Number(process.env.DOCUMENTS ?? 20_000)
const ROUNDS = Number(process.env.ROUNDS ?? 7)

/** From what is in a few documents to what is in all. */
const PATTERNS = [
  ['rare word', 'zephyrquartz'],
  ['date', '\\d{4}-\\d{2}-\\d{2}'],
  ['number after a name', '\\bRFC-\\d+\\b'],
  ['no match, anchored', '^[a-z]+;$'],
  ['no match, all is read', '[aeiou]{6}'],
  ['name', 'RefundIndexer'],
  ['alternation', 'zephyrquartz|LedgerPoller'],
  ['two words on a line', 'coupon.*rollback'],
  ['anchored', '^### part 7$'],
  ['common word', '\\bthe\\b'],
  ['empty lines', '^$'],
  ['everything', '.*'],
]

const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-search-'))
await chmod(folder, 0o755)
try {
  console.log(`${DOCUMENTS} documents of 4 KB, ${availableParallelism()} processors, Node ${process.version}`)
  if (!process.argv.includes('--attack')) await measureAlone()
  await measureAttack(join(folder, 'attacked'), DOCUMENTS)
  console.log(
    `\nload of the machine at the end: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
} finally {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
}

/** What is measured without a server. */
async function measureAlone() {
  const postgres = await openEmbeddedPostgres({ dataDir: join(folder, 'data'), as: 'server', log: () => undefined })
  const sql = connect(postgres.connection, { max: 10 })
  try {
    await migrate(sql)
    const files = join(folder, 'files')
    const ids = await fill(sql, await addProject(sql), DOCUMENTS, files)
    const [signed, signMs] = await timed(() => signDocuments(sql, PROJECT))
    await sql`vacuum analyze document_search`
    console.log(`signed ${signed} documents in ${(signMs / 1000).toFixed(1)} s\n`)
    await comparePatterns(sql, files)
    await measureWrites(sql, ids)
  } finally {
    await sql.end()
    await postgres.stop()
  }
}

async function comparePatterns(sql, files) {
  const hasRipgrep = spawnSync('rg', ['--version']).status === 0
  if (!hasRipgrep) console.log('ripgrep (rg) is not installed: only our own times.')
  const ratios = []
  for (const [what, query] of PATTERNS) {
    const [ours, theirs] = [[], []]
    let hits = 0
    for (let round = 0; round <= ROUNDS; round++) {
      const [found, ms] = await timed(() =>
        searchDocuments(sql, { projectId: PROJECT, kind: KIND, query, deadlineMs: 30_000 }),
      )
      hits = found.length
      const [, rgMs] = await timed(() => hasRipgrep && ripgrep(query, files))
      // The first round warms both.
      if (round === 0) continue
      ours.push(ms)
      theirs.push(rgMs)
    }
    const ratio = median(ours) / median(theirs)
    ratios.push(ratio)
    console.log(
      `${what.padEnd(24)}${query.padEnd(28)}${String(hits).padStart(3)} hits  ours ${ms(median(ours))}  rg ${ms(median(theirs))}  ratio ${ratio.toFixed(2)}`,
    )
  }
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
  console.log(`geometric mean ${mean.toFixed(2)} (goal 1.00), worst ${Math.max(...ratios).toFixed(2)} (goal 4.00)\n`)
}

/** Its output is read, as ours is, but not printed. */
function ripgrep(query, files) {
  return spawnSync('rg', ['--no-config', '-i', '-C2', '-n', '-e', query, files], { maxBuffer: 2 ** 30 }).stdout.length
}

async function timed(run) {
  const started = performance.now()
  const value = await run()
  return [value, performance.now() - started]
}

function median(values) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]
}

function ms(value) {
  return `${value.toFixed(1).padStart(7)} ms`
}
