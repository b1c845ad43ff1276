import { CHOSEN_ON, REPORTED, readDemo, readSet, readStream, shuffled } from './texts.mjs'

/**
 * Measures what triage learns from people. A person has sorted the first half of the texts, or set a quarter of the topics
 * aside; how many of the others follow? See README.md. Needs `npm run build`.
 */
const triage = (name) => import(new URL(`../../server/dist/product/feedback/triage/${name}.js`, import.meta.url))
const { readItems } = await triage('reading')
const { TriageMemory } = await triage('memory')
const SEEDS = [1, 2, 3, 4]

for (const name of [...CHOSEN_ON, 'demo', 'service', ...REPORTED]) {
  const items = name === 'demo' ? readDemo() : name === 'service' ? readSet(name) : readStream(name)
  const readings = readItems(items.map((one) => one.text))
  const known = items.flatMap(({ labels: [label, ...more] }, index) => {
    const [matter, ...others] = readings[index].matters
    return !matter || others.length + more.length > 0 || /^[-!]/.test(label) ? [] : [{ label, matter }]
  })
  const byMatter = known.map((one) => ({ ...one, label: one.label.split('.')[0] }))
  console.log(
    `${name.padEnd(10)} placed, by matter ${await average(byMatter, follow)}, by fix ${await average(known, follow)}; set aside ${await average(known, setAside)}`,
  )
}

async function average(items, measure) {
  const rounds = []
  for (const seed of SEEDS) rounds.push(await measure(shuffled(items, seed)))
  const mean = (key) => rounds.reduce((sum, one) => sum + one[key], 0) / rounds.length
  const [precision, recall] = [mean('precision'), mean('recall')]
  return `F1 ${((2 * precision * recall) / (precision + recall)).toFixed(2)} (${precision.toFixed(2)}, ${recall.toFixed(2)})`
}

function scored(right, said, possible) {
  return { precision: right / (said || 1), recall: right / (possible || 1) }
}

function placed(at, themeId, isPinned, matter) {
  return { key: String(at), itemId: String(at), themeId, isPinned, matter }
}

/** A person has put the first half into themes. */
async function follow(items) {
  const memory = new TriageMemory()
  const half = Math.floor(items.length / 2)
  const topics = new Set()
  let [right, joined, possible] = [0, 0, 0]
  for (const [at, { label, matter }] of items.entries()) {
    const decision = at < half ? undefined : await memory.decide(matter, [], String(at))
    if (decision?.themeId !== undefined) joined++
    if ([label, `new ${label}`].includes(decision?.themeId)) right++
    if (decision && topics.has(label)) possible++
    topics.add(label)
    memory.put(placed(at, decision ? (decision.themeId ?? `new ${label}`) : label, !decision, matter))
  }
  return scored(right, joined, possible)
}

/** Of the first half, a person has set aside what is about every fourth topic and put the rest into themes. */
async function setAside(items) {
  const memory = new TriageMemory()
  const half = Math.floor(items.length / 2)
  const unwanted = new Set([...new Set(items.map((one) => one.label))].filter((_, index) => index % 4 === 0))
  const lessons = []
  for (const [at, { label, matter }] of items.slice(0, half).entries())
    if (unwanted.has(label)) lessons.push({ itemId: String(at), themeId: null, matters: [matter], label })
    else memory.put(placed(at, label, true, matter))
  let [right, said, possible] = [0, 0, 0]
  for (const { label, matter } of items.slice(half)) {
    const isTaught = lessons.some((one) => one.label === label)
    const { isSetAside } = await memory.decide(matter, lessons)
    if (isTaught) possible++
    if (isSetAside) said++
    if (isSetAside && isTaught) right++
  }
  return scored(right, said, possible)
}
