import { parseArgs } from 'node:util'
import { bCubed } from './bcubed.mjs'
import { CHOSEN_ON, REPORTED, readDemo, readSet, readStream, shuffled } from './texts.mjs'

/**
 * Measures how the server sorts feedback without a model: how well themes fit topics, how stable they are, how long a
 * decision takes with many items and themes, and how much memory it needs. See README.md. Needs `npm run build`.
 */
const triage = (name) => import(new URL(`../../server/dist/product/feedback/triage/${name}.js`, import.meta.url))
const meaning = (name) => import(new URL(`../../server/dist/engines/meaning/${name}.js`, import.meta.url))
const { readItems } = await triage('reading')
const { TriageMemory, keyOf } = await triage('memory')
const { groupTexts, planGroups } = await triage('grouping')
const { wordsOf } = await meaning('words')

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    seeds: { type: 'string', default: '2' },
    'no-quality': { type: 'boolean', default: false },
    'no-large': { type: 'boolean', default: false },
  },
})
const LARGE = { items: 20_000, themes: 2_000, decisions: 100 }
/** The best of 0.10 to 0.35 on the streams that constants were chosen on. */
const LEADER_THRESHOLD = 0.2
const REGROUP_AFTER = 15
const REGROUP_SHARE = 0.08

if (!flags['no-quality']) {
  for (const name of [...CHOSEN_ON, ...REPORTED]) if (isWanted(name)) await report(name, readStream(name))
  if (isWanted('demo')) await report('demo', readDemo())
  for (const name of ['wallet', 'service']) if (isWanted(name)) await report(name, readSet(name))
}
if (!flags['no-large'] && flags.only === undefined) await decideAmongMany()

function isWanted(name) {
  return flags.only === undefined || flags.only.split(',').includes(name)
}

async function report(name, items) {
  const readings = readItems(items.map((one) => one.text))
  for (const [index, one] of items.entries()) one.reading = readings[index]
  const isFeedback = (one) => !/^[-!]/.test(one.labels[0])
  const english = items.filter((one) => isFeedback(one) && one.reading.matters.every((matter) => matter.vector))
  const other = items.filter((one) => !isFeedback(one))
  const setAside = other.filter((one) => one.reading.verdict !== 'feedback').length
  const missed = items.filter((one) => isFeedback(one) && one.reading.verdict !== 'feedback').length
  console.log(
    `\n${name}: ${items.length} texts${REPORTED.includes(name) ? ', most constants were chosen without them' : ', used to choose constants'}; ${setAside} of ${other.length} praise, noise and spam set aside, ${missed} of ${items.length - other.length} reports as well`,
  )
  for (const [kind, some] of [
    ['all', items],
    ['English', english],
  ]) {
    if (some.length === items.length && kind !== 'all') continue
    const rounds = []
    for (let seed = 1; seed <= Number(flags.seeds); seed++) rounds.push(await stream(shuffled(some, seed)))
    for (const rule of some.some((one) => one.labels[0].includes('.')) ? ['matter', 'fix'] : ['fix']) {
      const score = (select) => averageOf(rounds.map((round) => bCubed(select(round), topicsOf(round.items, rule))))
      console.log(
        `  ${kind.padEnd(8)} by ${rule.padEnd(7)} ${said(score((round) => round.themes))}; at arrival ${score((round) => round.atArrival).f1.toFixed(2)}; TF-IDF leader ${said(score((round) => leaders(round.items)))}; alone ${score((round) => round.items.map((_, i) => new Set([i]))).f1.toFixed(2)}`,
      )
    }
    const share = rounds.reduce((sum, one) => sum + one.moved, 0) / rounds.length
    const themes = rounds.reduce((sum, one) => sum + one.count, 0) / rounds.length
    console.log(
      `  ${kind.padEnd(8)} ${themes.toFixed(0)} themes; of 100 matters ${(100 * share).toFixed(0)} were moved after they were sorted`,
    )
  }
}

function said({ f1, precision, recall }) {
  return `F1 ${f1.toFixed(2)} (precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)})`
}

function averageOf(scores) {
  const mean = (key) => scores.reduce((sum, one) => sum + one[key], 0) / scores.length
  return { f1: mean('f1'), precision: mean('precision'), recall: mean('recall') }
}

/** Praise, noise and spam belong to no topic: each is alone. */
function topicsOf(items, rule) {
  return items.map(
    ({ labels }, index) =>
      new Set(labels.map((label) => (/^[-!]/.test(label) ? index : rule === 'fix' ? label : label.split('.')[0]))),
  )
}

/** Sorts as the server does: places each matter when it arrives and reviews the themes from time to time. */
async function stream(items) {
  const themeOf = new Map()
  const arrived = new Map()
  const moved = new Set()
  let memory = new TriageMemory()
  let opened = 0
  let since = 0
  const place = (key, matter, themeId) => {
    themeOf.set(key, themeId)
    memory.put({ key, itemId: key.split(' ')[0], themeId, isPinned: false, matter })
  }
  const matters = new Map()
  for (const [index, { reading }] of items.entries()) {
    for (const [part, matter] of reading.matters.entries()) {
      const key = keyOf(String(index), part)
      matters.set(key, matter)
      const { themeId } = await memory.decide(matter, [], String(index))
      place(key, matter, themeId ?? `theme ${opened++}`)
      arrived.set(key, themeOf.get(key))
    }
    if (++since < Math.max(REGROUP_AFTER, index * REGROUP_SHARE) && index < items.length - 1) continue
    since = 0
    const keys = [...matters.keys()]
    const groups = groupTexts(keys.map((key) => matters.get(key)))
    const placed = keys.map((key, index) => ({ key, themeId: themeOf.get(key), group: groups[index] }))
    for (const group of planGroups(placed, (one) => one.group)) {
      const themeId = group.themeId ?? `theme ${opened++}`
      for (const { key } of group.members)
        if (themeOf.get(key) !== themeId) {
          moved.add(key)
          place(key, matters.get(key), themeId)
        }
    }
  }
  memory = undefined
  const setsFrom = (source) =>
    items.map(({ reading }, index) => {
      const all = reading.matters.map((_, part) => source.get(keyOf(String(index), part)))
      return new Set(all.length > 0 ? all : [`alone ${index}`])
    })
  return {
    items,
    themes: setsFrom(themeOf),
    atArrival: setsFrom(arrived),
    count: new Set(themeOf.values()).size,
    moved: moved.size / matters.size,
  }
}

/** A baseline: each text joins the first text of the nearest group by TF-IDF, or opens a group. */
function leaders(items) {
  const frequency = new Map()
  const found = []
  return items.map(({ text }, index) => {
    const weights = new Map()
    for (const word of wordsOf(text)) weights.set(word, (weights.get(word) ?? 0) + 1)
    for (const word of weights.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1)
    let square = 0
    for (const [word, count] of weights) {
      weights.set(word, count * Math.log(1 + (index + 1) / frequency.get(word)))
      square += weights.get(word) ** 2
    }
    for (const [word, weight] of weights) weights.set(word, weight / (Math.sqrt(square) || 1))
    let best = -1
    let most = 0
    for (const [group, leader] of found.entries()) {
      let sum = 0
      for (const [word, weight] of weights) sum += weight * (leader.get(word) ?? 0)
      if (sum > most) [best, most] = [group, sum]
    }
    if (most < LEADER_THRESHOLD) best = found.push(weights) - 1
    return new Set([best])
  })
}

async function decideAmongMany() {
  const rss = () => Math.round(process.memoryUsage().rss / 1e6)
  const matters = readItems(readSet('wallet').map((one) => one.text)).flatMap((one) => one.matters)
  const before = rss()
  const memory = new TriageMemory()
  for (let i = 0; i < LARGE.items; i++) {
    // The same texts with noise, to get many different ones.
    const matter = matters[i % matters.length]
    const values = matter.vector && new Int8Array(Buffer.from(matter.vector, 'base64'))
    const noisy = values?.map((value, k) => Math.max(-127, Math.min(127, value + (((i * 7 + k * 13) % 11) - 5))))
    const vector = noisy && Buffer.from(noisy).toString('base64')
    const themeId = `theme ${i % LARGE.themes}`
    memory.put({ key: String(i), itemId: String(i), themeId, isPinned: false, matter: { ...matter, vector } })
  }
  await memory.decide(matters[0])
  const times = []
  for (let i = 0; i < LARGE.decisions; i++) {
    const from = performance.now()
    await memory.decide(matters[(i * 31) % matters.length])
    times.push(performance.now() - from)
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.floor(times.length * share)].toFixed(1)
  console.log(
    `\na decision among ${LARGE.items} items, ${LARGE.themes} themes: median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms; ${rss() - before} MB for the items`,
  )
  const reading = performance.now()
  readItems(
    readSet('service')
      .slice(0, 100)
      .map((one) => one.text),
  )
  console.log(`reading a text: ${((performance.now() - reading) / 100).toFixed(1)} ms`)
  const texts = Array.from({ length: 1_000 }, (_, i) => matters[i % matters.length])
  const looking = performance.now()
  groupTexts(texts)
  console.log(`looking over 1,000 items: ${Math.round(performance.now() - looking)} ms`)
}
