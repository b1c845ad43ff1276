import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { writeBundled } from '../supply-chain/shipped.mjs'

/** Builds the web app and compresses its files. Does nothing if the output is newer than all its inputs. */
const web = import.meta.dirname
const dist = path.join(web, 'dist')
const built = path.join(dist, '.built')
const TEXT = /\.(m?js|css|html|svg)$/

const within = (folder) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map((file) => path.join(folder, file)) : []
const inputs = [
  ...within(path.join(web, 'src')),
  ...within(path.join(web, 'public')),
  ...within(path.join(web, '..', 'sdk', 'src')),
  ...within(path.join(web, '..', 'server', 'src', 'engines', 'markdown')),
  ...['index.html', 'diagram.html', 'vite.config.ts', 'package.json'].map((file) => path.join(web, file)),
  import.meta.filename,
  path.join(web, '..', 'package-lock.json'),
]

if (!isFresh()) {
  const { build } = await import('vite')
  const modules = []
  await build({
    root: web,
    configFile: path.join(web, 'vite.config.ts'),
    logLevel: 'warn',
    build: { emptyOutDir: true },
    plugins: [
      {
        name: 'list-modules',
        generateBundle() {
          modules.push(...this.getModuleIds())
        },
      },
    ],
  })
  modules.push(await copyReference())
  writeBundled(dist, modules)
  await Promise.all(
    within(dist)
      .filter((file) => TEXT.test(file))
      .map(compress),
  )
  writeFileSync(built, '')
}

function isFresh() {
  if (!existsSync(built)) return false
  const builtAt = statSync(built).mtimeMs
  return inputs.every((file) => statSync(file).mtimeMs <= builtAt)
}

/**
 * The program of the API reference, which `/docs` alone loads. It is taken from the package that has it as one file without
 * its 250 dependencies. The name changes with the version, because browsers keep it for a year.
 */
async function copyReference() {
  const scalar = path.dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference'))
  const { version } = JSON.parse(await readFile(path.join(scalar, '..', 'package.json'), 'utf8'))
  const program = path.join(scalar, 'js', 'standalone.js')
  await copyFile(program, path.join(dist, 'assets', `scalar-${version}.js`))
  return program
}

async function compress(file) {
  const plain = await readFile(file)
  // The highest quality takes three times as long for 2% less.
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain, quality), promisify(gzip)(plain, { level: 9 })])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}
