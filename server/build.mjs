import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { buildSync, transformSync } from 'esbuild'

/** Compiles the server unless what is there is newer than everything it is made from: a start need not wait for it. */
const server = import.meta.dirname
// Of its own, because the compiler leaves files alone that come out the same.
const built = path.join(server, 'dist', '.built')
const files = readdirSync(path.join(server, 'src'), { recursive: true })
const inSource = (file) => path.join(server, 'src', file)
const sources = files.filter((file) => /\.(ts|css)$/.test(file) && !/\.(test|factory)\.ts$/.test(file)).map(inSource)
// Prompts are texts of their own and are read from beside the code that uses them.
const texts = files.filter((file) => file.endsWith('.md'))
const inputs = [
  ...sources,
  ...texts.map(inSource),
  path.join(server, 'tsconfig.json'),
  path.join(server, '..', 'package-lock.json'),
]

const isFresh = () => {
  if (!existsSync(built)) return false
  const builtAt = statSync(built).mtimeMs
  return inputs.every((file) => statSync(file).mtimeMs <= builtAt)
}

if (!isFresh()) {
  const compiler = path.join(
    path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  )
  const compile = (project) => execFileSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' })
  const widget = path.join(server, 'src', 'feedback', 'widget')
  compile(server)
  compile(widget)
  // It runs in browsers, on other people's pages: one small file instead of modules.
  const style = transformSync(readFileSync(path.join(widget, 'widget.css'), 'utf8'), { loader: 'css', minify: true })
  buildSync({
    entryPoints: [path.join(widget, 'widget.ts')],
    outfile: path.join(server, 'dist', 'widget.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    define: { STYLE: JSON.stringify(style.code.trim()) },
    logLevel: 'warning',
  })
  for (const file of texts) {
    const copy = path.join(server, 'dist', file)
    mkdirSync(path.dirname(copy), { recursive: true })
    copyFileSync(inSource(file), copy)
  }
  writeFileSync(built, '')
}
