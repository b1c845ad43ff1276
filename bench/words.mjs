/** Deterministic text: the same seed gives the same database on every machine. */

const COMMON =
  `the a to of and in is it for with on that this when be as are by from or an at not should must after before each
one all only total order user account page list item price cart coupon payment refund invoice customer address delivery stock
search filter result field form button label error message request answer server client database query index column table row
value number date time zone format currency rounding export import file upload image preview report summary chart dashboard
notification mail template setting language translation session password login role member project phase comment document
feature test case release version deploy rollback monitor alert metric log trace cache queue worker job retry timeout limit
budget latency memory connection pool migration backup restore archive draft review approval status priority assignee`
    .split(/\s+/)
    .filter(Boolean)

const LEFT =
  `Checkout Invoice Refund Catalog Search Session Account Billing Coupon Delivery Warehouse Customer Payment Report
Webhook Import Export Preview Audit Consent Currency Discount Ledger Loyalty Mailing Pricing Return Shipping Supplier Tax`
    .split(/\s+/)
    .filter(Boolean)

const RIGHT =
  `Gateway Service Worker Store Adapter Builder Client Factory Handler Importer Indexer Limiter Loader Mapper
Monitor Notifier Parser Planner Poller Presenter Publisher Queue Reader Registry Resolver Router Scheduler Validator Viewer
Writer`
    .split(/\s+/)
    .filter(Boolean)

/** @typedef {ReturnType<typeof randomSource>} RandomSource */

/** mulberry32, which is small, fast and good enough to choose words. */
export function randomSource(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit) => Math.floor(next() * limit)
  return { next, below, pick: (list) => list[below(list.length)] }
}

/** Prefers words at the beginning of the list, as real text prefers common words. */
const word = (random) => COMMON[Math.floor(COMMON.length * random.next() ** 2)]

/** Returns one of 900 names such as `RefundIndexer`, so that a few texts in a thousand contain it. */
const component = (random) => random.pick(LEFT) + random.pick(RIGHT)

function sentence(random, length) {
  const words = Array.from({ length }, () => word(random))
  words[random.below(length)] = `\`${component(random)}\``
  return `${words[0][0].toUpperCase()}${words.join(' ').slice(1)}.`
}

export function title(random) {
  return `${component(random)}: ${Array.from({ length: 3 + random.below(5) }, () => word(random)).join(' ')}`
}

/** Returns headings, paragraphs and a list, about `bytes` long. */
export function markdown(random, bytes) {
  let text = '## What is wrong\n\n'
  let section = 0
  while (text.length < bytes) {
    const roll = random.next()
    if (roll < 0.2) text += `\n- ${sentence(random, 5 + random.below(5))}`
    else if (roll < 0.3) text += `\n\n### Part ${++section}\n\n`
    else text += `${sentence(random, 8 + random.below(10))} `
  }
  return `${text.slice(0, bytes - 1).trimEnd()}\n`
}

/**
 * Returns two words, one of which is rare half of the time, so that some searches find many texts and some find few.
 */
export function searchWords(random) {
  const first = random.next() < 0.5 ? component(random) : word(random)
  return `${first} ${COMMON[40 + random.below(COMMON.length - 40)]}`
}
