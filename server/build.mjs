import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** Compiles the server unless what is there is newer than everything it is made from: a start need not wait for it. */
const server = import.meta.dirname
// Of its own, because the compiler leaves files alone that come out the same.
const built = path.join(server, 'dist', '.built')
const files = readdirSync(path.join(server, 'src'), { recursive: true })
const inSource = (file) => path.join(server, 'src', file)
const sources = files.filter((file) => file.endsWith('.ts') && !/\.(test|factory)\.ts$/.test(file)).map(inSource)
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
  execFileSync(process.execPath, [compiler, '-p', server], { stdio: 'inherit' })
  for (const file of texts) {
    const copy = path.join(server, 'dist', file)
    mkdirSync(path.dirname(copy), { recursive: true })
    copyFileSync(inSource(file), copy)
  }
  writeFileSync(built, '')
}
