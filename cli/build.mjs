import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { writeBundled } from '../supply-chain/shipped.mjs'

/** Bundles the command line with the SDK into one file. Does nothing if the output is newer than all its inputs. */
const cli = import.meta.dirname
const output = path.join(cli, 'dist', 'slipway.js')
const within = (folder) => readdirSync(folder, { recursive: true }).map((file) => path.join(folder, file))
const inputs = [
  ...within(path.join(cli, 'src')),
  ...within(path.join(cli, '..', 'sdk', 'src')),
  import.meta.filename,
  path.join(cli, '..', 'package-lock.json'),
]

if (!existsSync(output) || inputs.some((file) => statSync(file).mtimeMs > statSync(output).mtimeMs)) {
  const { metafile } = await build({
    metafile: true,
    entryPoints: [path.join(cli, 'src', 'main.ts')],
    outfile: output,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['slipway-source'],
    logLevel: 'warning',
    // CommonJS packages call require, which ES modules do not have.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  })
  writeBundled(path.dirname(output), Object.keys(metafile.inputs))
}
