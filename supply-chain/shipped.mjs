import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * What the package ships, as places in package-lock.json: packages that production installs, and packages whose code the
 * builds put into their output. The latter are development dependencies, which `npm audit --omit=dev` does not see.
 */
export const repository = path.join(import.meta.dirname, '..')
const LISTS = ['server', 'web', 'cli'].map((part) => path.join(repository, part, 'dist', 'bundled.json'))

export const readJson = (file) => JSON.parse(readFileSync(path.join(repository, file), 'utf8'))

const PACKAGE = /.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

/** Each build calls it with the files that went into its output. Bundlers begin the names of files they make up with NUL. */
export function writeBundled(folder, files) {
  const places = files.map((file) => PACKAGE.exec(path.resolve(file.replace('\0', '')))?.[0])
  const unique = [...new Set(places)].filter(Boolean).map((place) => path.relative(repository, place))
  writeFileSync(path.join(folder, 'bundled.json'), `${JSON.stringify(unique.sort(), null, 2)}\n`)
}

/** Returns the packages that the builds have put into their output. */
export function bundledPackages() {
  const missing = LISTS.find((list) => !existsSync(list))
  if (missing) throw new Error(`There is no "${path.relative(repository, missing)}". Run "npm run build" first.`)
  return new Set(LISTS.flatMap((list) => JSON.parse(readFileSync(list, 'utf8'))))
}

/** Returns the packages that production installs, on all platforms. */
export function installedPackages({ packages }) {
  const found = new Set()
  const visit = (place) => {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[place]
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const next = resolve(packages, place, name)
      if (!next || found.has(next)) continue
      found.add(next)
      visit(next)
    }
  }
  visit('')
  return found
}

/** As Node does: in the folder of the package, then in those above it. */
function resolve(packages, from, name) {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))) {
    const candidate = `${place === '' ? '' : `${place}/`}node_modules/${name}`
    if (packages[candidate]) return candidate
    if (place === '') return undefined
  }
}

export const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
