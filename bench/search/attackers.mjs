import { encode, keepAsking } from '../client.mjs'
import { API } from '../seed.mjs'

/** Repeats the worst searches in its own process until it gets a message, then reports the results. */

/** Each is bad for some engine: backtracking, many states, large repetitions. Most read all texts and find nothing. */
const ATTACKS = [
  '(a+)+[a-z]{25}$',
  '(?:[a-z]*){30}(?:a?){200}[b-z]{25}',
  '(.*)(.*)(.*)(.*)(.*)(.*)[a-z]{25}',
  '[a-z ]*e[a-z ]{200}[a-z]{25}',
  'e[a-z ]{60}e[a-z ]{300}\\b[a-z]{25}',
  '(\\w{1000}){1000}',
  '(?:\\w+\\s+){50}[a-z]{25}',
  '(e.{0,100}){5}Q',
  '.*',
]
const ATTACKERS = 8

const url = new URL(process.env.ORIGIN)
const requests = ATTACKS.map((query) =>
  encode(
    url,
    { method: 'POST', path: `${API}/blueprints/search`, body: JSON.stringify({ query }) },
    JSON.parse(process.env.HEADERS),
  ),
)
let isOver = false
process.once('message', () => {
  isOver = true
})
const answers = {}
let longestMs = 0
await Promise.all(
  Array.from({ length: ATTACKERS }, (_, number) => {
    let turn = number
    return keepAsking(
      url,
      () => requests[turn++ % requests.length],
      () => isOver,
      (status, ms) => {
        answers[status] = (answers[status] ?? 0) + 1
        longestMs = Math.max(longestMs, ms)
      },
    )
  }),
)
process.send({ answers, longestMs })
process.disconnect()
