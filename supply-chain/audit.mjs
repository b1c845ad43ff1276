import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import semver from 'semver'
import { bundledPackages, installedPackages, nameOf, readJson, repository } from './shipped.mjs'

/**
 * Fails if a package that ships has a known advisory that is high or critical. Asks the registry, as `npm audit` does, and
 * always looks into the copy as well. A registry that does not answer is reported and fails nothing.
 *
 *     node supply-chain/audit.mjs [--offline] [copy of advisories]
 */
const SERIOUS = ['high', 'critical']
const REGISTRY_WITHIN_MS = 20_000

const lock = readJson('package-lock.json')
const shipped = new Set([...installedPackages(lock), ...bundledPackages()])
const { values, positionals } = parseArgs({ options: { offline: { type: 'boolean' } }, allowPositionals: true })
const copyFile = positionals[0] ?? path.join(repository, 'supply-chain', 'advisories.json')
const copy = JSON.parse(readFileSync(copyFile, 'utf8'))
const found = [...fromCopy(), ...(values.offline ? [] : await fromRegistry())]
const known = new Map(found.map((one) => [`${one.place} ${one.id}`, one]))
let isSerious = false

for (const { place, id, severity, summary } of known.values()) {
  const reason = copy.accepted[id]
  const fails = SERIOUS.includes(severity) && reason === undefined
  isSerious ||= fails
  console.log(
    `${fails ? 'FAILS' : 'noted'}: ${nameOf(place)} ${lock.packages[place].version} (${severity}, ${id}): ${summary}${reason ? ` Accepted: ${reason}` : ''}`,
  )
}
console.log(
  `Checked ${shipped.size} packages that ship: ${known.size} advisories, ${copy.advisories.length} in the copy.`,
)
if (isSerious) {
  console.error(
    'A package that ships has a serious advisory. Update it, or state in "accepted" of supply-chain/advisories.json why it does no harm.',
  )
  process.exitCode = 1
}

function fromCopy() {
  return [...shipped].flatMap((place) =>
    copy.advisories
      .filter(({ name, vulnerable }) => name === nameOf(place) && isWithin(lock.packages[place].version, vulnerable))
      .map((one) => ({ ...one, place })),
  )
}

function isWithin(version, range) {
  return semver.satisfies(version, range, { includePrerelease: true })
}

async function fromRegistry() {
  const args = ['audit', '--json', '--package-lock-only', '--fetch-retries=0', `--fetch-timeout=${REGISTRY_WITHIN_MS}`]
  // It ends with 1 if there are advisories.
  const { stdout } = await promisify(execFile)('npm', args, { cwd: repository, maxBuffer: 64 << 20 }).catch(
    (err) => err,
  )
  const answer = parse(stdout)
  if (!answer?.vulnerabilities) {
    console.log(`The registry did not answer (${answer?.message ?? 'nothing'}): only the copy of advisories was used.`)
    return []
  }
  return Object.values(answer.vulnerabilities).flatMap(({ via, nodes }) =>
    via
      .filter((one) => typeof one === 'object')
      .flatMap(({ url, severity, title, range }) =>
        nodes
          .filter((place) => shipped.has(place) && isWithin(lock.packages[place].version, range))
          .map((place) => ({ place, id: path.posix.basename(url), severity, summary: title })),
      ),
  )
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
