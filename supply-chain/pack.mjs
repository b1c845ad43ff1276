import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundledPackages, installedPackages, nameOf, readJson, repository } from './shipped.mjs'

/**
 * Packs what was built, with the versions that production installs and a list of all that ships. It works on a copy: in a
 * checkout, npm would use the shrinkwrap in place of the lock file.
 *
 *     node supply-chain/pack.mjs [folder for the tarball]
 */
const lock = readJson('package-lock.json')
const folder = mkdtempSync(path.join(tmpdir(), 'slipway-pack-'))
const destination = path.resolve(process.argv[2] ?? '.')
try {
  const [{ files }] = JSON.parse(npm(repository, 'pack', '--dry-run', '--json', '--ignore-scripts'))
  for (const { path: file } of files) cpSync(path.join(repository, file), path.join(folder, file))
  writeJson('package.json', manifest(readJson('package.json')))
  writeJson('npm-shrinkwrap.json', shrinkwrap())
  writeJson('sbom.cdx.json', billOfMaterials())
  console.log(npm(folder, 'pack', '--silent', '--pack-destination', destination).trim())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function npm(cwd, ...args) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 64 << 20, stdio: ['ignore', 'pipe', 'inherit'] })
}

function writeJson(name, value) {
  writeFileSync(path.join(folder, name), `${JSON.stringify(value, null, 2)}\n`)
}

/** Without what builds and tests it. */
function manifest({ private: _, workspaces, devDependencies, overrides, scripts, files, ...kept }) {
  const { start, admin, demo } = scripts
  return { ...kept, scripts: { start, admin, demo }, files: [...files, 'npm-shrinkwrap.json', 'sbom.cdx.json'] }
}

/** The part of the lock file that production installs: the versions that were tested, with their hashes. */
function shrinkwrap() {
  const { workspaces, devDependencies, ...root } = lock.packages['']
  const kept = [...installedPackages(lock)].sort().map((place) => {
    const { dev, devOptional, peer, ...entry } = lock.packages[place]
    return [place, devOptional ? { ...entry, optional: true } : entry]
  })
  return { ...lock, packages: { '': root, ...Object.fromEntries(kept) } }
}

/** CycloneDX, as npm writes it, without what is only used to build and test. */
function billOfMaterials() {
  const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
  const bill = JSON.parse(npm(repository, 'sbom', ...options))
  const ref = (place) => `${nameOf(place)}@${lock.packages[place].version}`
  const bundled = new Set([...bundledPackages()].map(ref))
  const shipped = new Set([...[...installedPackages(lock)].map(ref), ...bundled, bill.metadata.component['bom-ref']])
  const isKept = ({ name }) => name !== 'cdx:npm:package:development'
  const components = bill.components
    .filter((one) => shipped.has(one['bom-ref']))
    .map(({ properties = [], ...one }) => ({
      ...one,
      scope: lock.packages[`node_modules/${one.name}`]?.optional ? 'optional' : 'required',
      properties: [
        ...properties.filter(isKept),
        ...(bundled.has(one['bom-ref']) ? [{ name: 'slipway:bundled', value: 'true' }] : []),
      ],
    }))
  const dependencies = bill.dependencies
    .filter((one) => shipped.has(one.ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn?.filter((name) => shipped.has(name)) ?? [] }))
  bill.metadata.component.name = lock.name
  return { ...bill, components, dependencies }
}
