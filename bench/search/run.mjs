/** See README.md for what it measures and how to run it. */
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { openEmbeddedPostgres } from '../../server/dist/engines/embedded-postgres/index.js'
import { connect } from '../../server/dist/kernel/database/index.js'
import { migrate } from '../../server/dist/kernel/database/migrate.js'
import { searchDocuments } from '../../server/dist/product/documents/search/search.js'
import { stopAll } from '../processes.mjs'
import { measureAttack } from './attack.mjs'
import { addProject, fill, readCorpus } from './corpus.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 7)

/** Ordered from patterns that match no document to patterns that match all. */
const PATTERNS = [
  ['rare word', 'zeroconf|quaternion'],
  ['no match', 'zephyrquartz'],
  ['word', 'function'],
  ['common word', '\\bthe\\b'],
  ['any case', 'error'],
  ['heading', '^## .*API'],
  ['accents and others', 'é|ü|日本'],
  ['nested repetition', '(x+x+)+y'],
  ['date', '\\d{4}-\\d{2}-\\d{2}'],
  ['version', '\\bv?\\d+\\.\\d+\\.\\d+\\b'],
  ['two words on a line', 'deprecated.*instead'],
  ['alternation', 'timeout|deadline|retry'],
  ['link', '\\[[^\\]]+\\]\\(https?://[^)]+\\)'],
  ['code fence', '^```(js|ts|typescript)$'],
  ['end of line', ';$'],
  ['vowels', '[aeiou]{5}'],
  ['word of a length', '\\b[a-z]{17}\\b'],
  ['empty lines', '^$'],
  ['everything', '.*'],
]

const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-search-'))
await chmod(folder, 0o755)
try {
  console.log(`${availableParallelism()} processors, Node ${process.version}`)
  if (!process.argv.includes('--attack')) {
    await measureAlone('files', await readCorpus())
    await measureAlone('sections', await readCorpus({ sections: true, limit: 20_000 }))
  }
  if (!process.argv.includes('--alone')) await measureAttack(join(folder, 'attacked'), await readCorpus())
  console.log(
    `\nload of the machine at the end: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
} finally {
  await stopAll()
  await rm(folder, { recursive: true, force: true })
}

/** Measures searches without a server. */
async function measureAlone(name, contents) {
  const bytes = contents.reduce((sum, one) => sum + Buffer.byteLength(one), 0)
  console.log(`\n${name}: ${contents.length} documents, ${(bytes / 1e6).toFixed(1)} MB`)
  const dataDir = join(folder, name)
  const postgres = await openEmbeddedPostgres({ dataDir, as: 'server', log: () => undefined })
  const sql = connect(postgres.connection, { max: 10 })
  try {
    await migrate(sql)
    const files = join(folder, `${name}-files`)
    const project = await addProject(sql)
    const ids = await fill(sql, project, contents, files)
    const search = (query) => searchDocuments(sql, { ...project, query, limit: 100, deadlineMs: 30_000 })
    const [, coldMs] = await timed(() => search('zephyrquartz'))
    console.log(`first search, which fills the spool: ${coldMs.toFixed(0)} ms`)
    await comparePatterns(search, files)
    await searchAfterWrites(sql, search, ids)
  } finally {
    await sql.end()
    await postgres.stop()
  }
}

async function comparePatterns(search, files) {
  const ratios = []
  for (const [what, query] of PATTERNS) {
    const [ours, theirs] = [[], []]
    let hits = 0
    for (let round = 0; round <= ROUNDS; round++) {
      const [found, ms] = await timed(() => search(query))
      hits = found.length
      const [, rgMs] = await timed(() => ripgrep(query, files))
      // The first round is a warm-up.
      if (round === 0) continue
      ours.push(ms)
      theirs.push(rgMs)
    }
    const ratio = median(ours) / median(theirs)
    ratios.push(ratio)
    console.log(
      `${what.padEnd(22)}${query.padEnd(34)}${String(hits).padStart(3)} hits  ours ${ms(median(ours))}  rg ${ms(median(theirs))}  ratio ${ratio.toFixed(2)}`,
    )
  }
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
  console.log(`geometric mean ${mean.toFixed(2)} (goal 1.00), worst ${Math.max(...ratios).toFixed(2)} (goal 2.50)`)
}

/** Reads the output of ripgrep, as ours is read, but does not print it. */
function ripgrep(query, files) {
  return spawnSync(rgPath, ['--no-config', '-i', '-n', '-C2', '-e', query, files], { maxBuffer: 2 ** 30 }).stdout.length
}

/** Each search must find the document that was committed just before it. */
async function searchAfterWrites(sql, search, ids) {
  const times = []
  for (let write = 0; write < 20; write++) {
    const id = ids[(write * 101) % ids.length]
    await sql`update documents set markdown_content = ${`written ${write}\n`}, updated_at = now() where id = ${id}`
    const [found, tookMs] = await timed(() => search(`^written ${write}$`))
    if (found.length !== 1 || found[0].id !== id) throw new Error(`Write ${write} was not found.`)
    times.push(tookMs)
  }
  console.log(`search after a write, median of ${times.length}: ${ms(median(times))}; all were found`)
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
