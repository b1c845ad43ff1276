import { MEMORY_GOAL_MB, P99_GOAL, scenarios } from './scenarios.mjs'

/** Reduces the rounds of one scenario to the reported figures: medians, and medians of the ratios of each round. */
export function summarize({ name, goal, cpuGoal }, connections, measured) {
  const rounds = measured.map(({ server, floor }) => ({ server: figures(server), floor: figures(floor) }))
  const medianOf = (read) => median(rounds.map(read))
  const side = (contender) =>
    Object.fromEntries(
      Object.keys(rounds[0][contender]).map((key) => [key, medianOf((round) => round[contender][key])]),
    )
  const ratios = rounds.map(({ server, floor }) => server.perSecond / floor.perSecond)
  const ratio = median(ratios)
  const p99Ratio = medianOf(({ server, floor }) => server.p99 / floor.p99)
  const cpuRatio = medianOf(({ server, floor }) => server.cpuNode / floor.cpuNode)
  return {
    scenario: name,
    connections,
    ratio,
    ratioFrom: Math.min(...ratios),
    ratioTo: Math.max(...ratios),
    p99Ratio,
    cpuRatio,
    ...(cpuGoal && { cpuGoal }),
    ...(goal && { goal, p99Goal: P99_GOAL, met: ratio >= goal && p99Ratio <= P99_GOAL }),
    server: side('server'),
    floor: side('floor'),
    rounds,
  }
}

/** Returns times in milliseconds and processor time in microseconds for each request. */
function figures({ requests, seconds, p50, p99, cpu, cpuSeconds }) {
  const each = (spent) => round((spent / requests) * 1e6, 1)
  return {
    requests,
    perSecond: round(requests / seconds, 1),
    p50: round(p50, 3),
    p99: round(p99, 3),
    cpuNode: each(cpu.contender),
    cpuPostgres: each(cpu.postgres),
    cpuLoad: each(cpuSeconds),
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

const round = (value, digits) => Number(value.toFixed(digits))

const COLUMNS = [
  ['scenario', (one) => one.scenario],
  ['conns', (one) => String(one.connections)],
  ['server/s', (one) => one.server.perSecond.toFixed(0)],
  ['floor/s', (one) => one.floor.perSecond.toFixed(0)],
  ['ratio', (one) => one.ratio.toFixed(2)],
  ['rounds from-to', (one) => `${one.ratioFrom.toFixed(2)}-${one.ratioTo.toFixed(2)}`],
  ['p50 ms', (one) => `${one.server.p50.toFixed(2)} : ${one.floor.p50.toFixed(2)}`],
  ['p99 ms', (one) => `${one.server.p99.toFixed(2)} : ${one.floor.p99.toFixed(2)}`],
  ['p99 ratio', (one) => one.p99Ratio.toFixed(2)],
  ['node µs', (one) => `${one.server.cpuNode.toFixed(0)} : ${one.floor.cpuNode.toFixed(0)}`],
  ['PostgreSQL µs', (one) => `${one.server.cpuPostgres.toFixed(0)} : ${one.floor.cpuPostgres.toFixed(0)}`],
  ['node ratio', (one) => `${one.cpuRatio.toFixed(2)}${cpuVerdict(one)}`],
  ['goal', (one) => (one.goal ? `>= ${one.goal}, p99 <= ${one.p99Goal}: ${one.met ? 'met' : 'missed'}` : '')],
]

function cpuVerdict({ cpuRatio, cpuGoal }) {
  return cpuGoal ? ` <= ${cpuGoal}: ${cpuRatio <= cpuGoal ? 'met' : 'missed'}` : ''
}

function cells({ results }) {
  return [COLUMNS.map(([name]) => name), ...results.map((one) => COLUMNS.map(([, read]) => read(one)))]
}

function memoryLine({ memory: { atStart, atEnd, floor } }) {
  const verdict = atEnd.peak < MEMORY_GOAL_MB ? 'met' : 'missed'
  return (
    `Memory of the server's process: ${atEnd.now.toFixed(0)} MB at the end, ${atEnd.peak.toFixed(0)} MB at its peak ` +
    `(${atStart.now.toFixed(0)} MB after seeding; goal: under ${MEMORY_GOAL_MB} MB: ${verdict}). ` +
    `The floor's peak: ${floor.peak.toFixed(0)} MB. PostgreSQL's processes are not counted in.`
  )
}

function machineLines({ date, commit, machine, settings, busyAtStart }) {
  return [
    `${date}, commit ${commit}`,
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system} ${machine.arch}, ` +
      `Node.js ${machine.node}, PostgreSQL ${machine.postgres}`,
    `${settings.workOrders} work orders, ${settings.rounds} rounds of ${settings.seconds} s for each contender, ` +
      `${settings.poolSize} database connections each`,
    `Load average of the machine before the run: ${busyAtStart.toFixed(1)}`,
  ]
}

export function tableOf(report) {
  const rows = cells(report)
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  )
  return [...machineLines(report), '', ...lines, '', memoryLine(report)].join('\n')
}

export function markdownOf(report) {
  const [head, ...rows] = cells(report).map((row) => `| ${row.join(' | ')} |`)
  return `${[
    '# Server beside floor',
    '',
    ...machineLines(report).map((line) => `- ${line}`),
    '',
    head,
    `|${' --- |'.repeat(COLUMNS.length)}`,
    ...rows,
    '',
    'Pairs are `server : floor`; µs are processor time for each request.',
    '',
    memoryLine(report),
    '',
    ...scenarios.map(({ name, says }) => `- \`${name}\`: ${says}`),
  ].join('\n')}\n`
}
