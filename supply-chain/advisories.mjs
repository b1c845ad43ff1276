import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bundledPackages, installedPackages, nameOf, readJson, repository } from './shipped.mjs'

/**
 * Writes advisories.json, the copy that is used where the registry does not answer: all reviewed advisories about packages
 * that ship. Run it with a checkout of the GitHub Advisory Database:
 *
 *     git clone --depth 1 https://github.com/github/advisory-database
 *     node supply-chain/advisories.mjs advisory-database
 */
const [checkout] = process.argv.slice(2)
if (!checkout) throw new Error('Name the folder with a checkout of github/advisory-database.')
const shipped = new Set([...installedPackages(readJson('package-lock.json')), ...bundledPackages()].map(nameOf))
const { accepted } = readJson('supply-chain/advisories.json')
const files = readdirSync(path.join(checkout, 'advisories', 'github-reviewed'), { recursive: true })
  .filter((file) => file.endsWith('.json'))
  .sort()

const advisories = files.flatMap((file) => {
  const text = readFileSync(path.join(checkout, 'advisories', 'github-reviewed', file), 'utf8')
  const { id, summary, withdrawn, affected, database_specific } = JSON.parse(text)
  if (withdrawn) return []
  const ours = affected.filter(({ package: of }) => of.ecosystem === 'npm' && shipped.has(of.name))
  return [...new Set(ours.map(({ package: of }) => of.name))].map((name) => ({
    id,
    name,
    severity: database_specific.severity.toLowerCase(),
    vulnerable: ours
      .filter(({ package: of }) => of.name === name)
      .map(rangeOf)
      .join(' || '),
    summary,
  }))
})
const copy = { source: 'GitHub Advisory Database, CC BY 4.0', accepted, advisories }
writeFileSync(path.join(repository, 'supply-chain', 'advisories.json'), `${JSON.stringify(copy, null, 2)}\n`)
console.log(`Wrote ${advisories.length} advisories about ${shipped.size} packages.`)

function rangeOf({ ranges = [], versions = [] }) {
  const parts = ranges.flatMap(({ events }) =>
    events.map(({ introduced, fixed, last_affected }) =>
      introduced !== undefined
        ? `${introduced === events[0].introduced ? '' : '|| '}>=${introduced === '0' ? '0.0.0-0' : introduced}`
        : fixed !== undefined
          ? `<${fixed}`
          : `<=${last_affected}`,
    ),
  )
  return parts.length > 0 ? parts.join(' ') : versions.map((version) => `=${version}`).join(' || ')
}
