import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/**
 * Measures how the server sorts feedback without a model: how well themes fit topics, how long a decision takes with
 * many items and themes, and how much memory it needs. See README.md. Needs `npm run build`.
 */
const triage = (name) => import(new URL(`../../server/dist/feedback/triage/${name}.js`, import.meta.url))
const meaning = (name) => import(new URL(`../../server/dist/engines/meaning/${name}.js`, import.meta.url))
const { readLanguage, readText } = await triage('read-texts')
const { rarityIn } = await meaning('word-vectors')
const { MEANING } = await meaning('features')
const { PRIOR_COUNT } = await meaning('background')
const { TriageMemory } = await triage('memory')
const { deriveGroups } = await triage('derive')
const { planGroups } = await triage('plan')
const { bCubed } = await meaning('bcubed')

const { values: flags } = parseArgs({
  options: {
    'no-quality': { type: 'boolean', default: false },
    seeds: { type: 'string', default: '2' },
    'no-large': { type: 'boolean', default: false },
  },
})
const LARGE = { items: 20_000, themes: 2_000, decisions: 200 }
const rss = () => Math.round(process.memoryUsage().rss / 1e6)
const said = (label, value) => console.log(`${label.padEnd(44)} ${value}`)

const before = rss()
const started = performance.now()
const { prior, rarities } = await readLanguage()
const rarity = rarityIn(rarities)
said('starting a thread with the models', `${Math.round(performance.now() - started)} ms, ${rss() - before} MB`)

const wallet = await read('wallet')
const service = await read('service')
const halves = (texts, even) => {
  const topics = [...new Set(texts.map((one) => one.topic))]
  return texts.filter((one) => (topics.indexOf(one.topic) % 2 === 0) === even)
}
const streams = {
  'wallet (20 topics)': wallet,
  'service (20 topics)': service,
  'wallet, every second topic (10)': halves(wallet, true),
  'wallet, the others (10)': halves(wallet, false),
  'half of both (20)': [...halves(wallet, true), ...halves(service, true)],
  'both (40)': [...wallet, ...service],
}
for (const [name, texts] of flags['no-quality'] ? [] : Object.entries(streams)) {
  const scores = []
  for (let seed = 1; seed <= Number(flags.seeds); seed++) scores.push(stream(shuffled(texts, seed)))
  const mean = (key) => (scores.reduce((sum, one) => sum + one[key], 0) / scores.length).toFixed(3)
  said(
    `${name}, ${texts.length} texts`,
    `F1 ${mean('f1')} (precision ${mean('precision')}, recall ${mean('recall')}), ${mean('themes').split('.')[0]} themes; without looking over: ${mean('atArrival')}`,
  )
}
if (!flags['no-large']) await decideAmongMany()

/** Sorts as the server does: places each text when it arrives and reviews the themes from time to time. */
function stream(texts) {
  const topics = texts.map((one) => one.topic)
  const run = (lookOver) => {
    const memory = new TriageMemory({ prior, rarity })
    const themeOf = []
    let opened = 0
    let since = 0
    const place = (index, themeId) => {
      themeOf[index] = themeId
      memory.put({ ...texts[index].features, itemId: String(index), themeId, isPinned: false })
    }
    texts.forEach(({ features }, index) => {
      place(index, memory.decide(features).themeId ?? `theme ${opened++}`)
      if (lookOver && (++since >= Math.max(15, index * 0.08) || index === texts.length - 1)) {
        since = 0
        const seen = texts.slice(0, index + 1)
        const placed = seen.map((_, i) => ({ itemId: String(i), themeId: themeOf[i] }))
        for (const group of planGroups(placed, deriveGroups(corpusOf(seen)))) {
          const themeId = group.themeId ?? `theme ${opened++}`
          for (const itemId of group.items) if (themeOf[itemId] !== themeId) place(Number(itemId), themeId)
        }
      }
    })
    return themeOf
  }
  const themeOf = run(true)
  return {
    ...bCubed(themeOf, topics),
    themes: new Set(themeOf).size,
    atArrival: bCubed(run(false), topics).f1,
  }
}

async function decideAmongMany() {
  const all = [...wallet, ...service]
  const before = rss()
  const memory = new TriageMemory({ prior, rarity })
  for (let i = 0; i < LARGE.items; i++) {
    // The same texts with noise, to get many different ones.
    const { features } = all[i % all.length]
    const meaning = features.meaning.map((value, k) => clip(value + (((i * 7 + k * 13) % 11) - 5)))
    memory.put({
      meaning,
      terms: features.terms,
      itemId: String(i),
      themeId: `theme ${i % LARGE.themes}`,
      isPinned: false,
    })
  }
  memory.decide(all[0].features)
  const times = []
  const cpu = process.cpuUsage()
  for (let i = 0; i < LARGE.decisions; i++) {
    const from = performance.now()
    memory.decide(await readText(all[(i * 31) % all.length].text))
    times.push(performance.now() - from)
  }
  const { user, system } = process.cpuUsage(cpu)
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.floor(times.length * share)].toFixed(1)
  said(
    `a decision among ${LARGE.items} items, ${LARGE.themes} themes`,
    `median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, ${((user + system) / 1000 / LARGE.decisions).toFixed(1)} ms of processor time; ${rss() - before} MB for the items`,
  )
  const reading = performance.now()
  for (let i = 0; i < 100; i++) await readText(all[i].text)
  said('of which reading the text (in a thread)', `${((performance.now() - reading) / 100).toFixed(1)} ms`)
  const looking = performance.now()
  deriveGroups(corpusOf(Array.from({ length: 1_000 }, (_, i) => all[i % all.length])))
  said('looking over 1,000 items (in a thread)', `${Math.round(performance.now() - looking)} ms`)
}

function clip(value) {
  return Math.max(-127, Math.min(127, value))
}

function corpusOf(texts) {
  const meanings = new Int8Array(texts.length * MEANING)
  texts.forEach(({ features }, index) => {
    meanings.set(features.meaning, index * MEANING)
  })
  const terms = texts.map(({ features }) => features.terms)
  return { meanings, terms, prior, priorCount: PRIOR_COUNT, rarity: rarities }
}

async function read(name) {
  const texts = []
  let topic = ''
  for (const line of readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8').split('\n')) {
    if (line.startsWith('# ')) topic = `${name}: ${line.slice(2)}`
    else if (line !== '') texts.push({ topic, text: line, features: await readText(line) })
  }
  return texts
}

function shuffled(values, seed) {
  const result = [...values]
  let state = seed * 2_654_435_761
  const random = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0
    return state / 2 ** 32
  }
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[result[i], result[j]] = [result[j], result[i]]
  }
  return result
}
