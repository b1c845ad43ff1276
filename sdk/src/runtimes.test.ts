import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// @ts-expect-error plain JavaScript, for every runtime
import { EXPECTED } from '../smoke.mjs'
import { openWorkspace, startServer, type Workspace } from './running-server.factory.ts'

const run = promisify(execFile)
/** Those that are installed. Their paths can be named, too. */
const RUNTIMES = [
  { name: 'Node', file: process.execPath, args: [] },
  { name: 'Deno', file: process.env.DENO_PATH ?? 'deno', args: ['run', '--allow-net', '--allow-read'] },
  { name: 'Bun', file: process.env.BUN_PATH ?? 'bun', args: ['run'] },
]
const isThere = (file: string) => {
  try {
    execFileSync(file, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('the client', () => {
  let workspace: Workspace
  let folder: string
  let options: object
  beforeAll(async () => {
    workspace = await openWorkspace()
    const { baseUrl, project } = await startServer(workspace)
    options = { baseUrl, apiKey: project.admin.key }
    folder = await mkdtemp(path.join(tmpdir(), 'slipway-sdk-'))
    await build({
      stdin: {
        contents: `import * as sdk from './src/index.ts'
          import { smoke } from './smoke.mjs'
          const [options] = (globalThis.Deno?.args ?? process.argv.slice(2)).map((one) => JSON.parse(one))
          console.log(JSON.stringify(await smoke(sdk, options)))`,
        resolveDir: path.resolve(import.meta.dirname, '..'),
      },
      bundle: true,
      format: 'esm',
      target: 'es2022',
      outfile: path.join(folder, 'smoke.mjs'),
    })
  })
  afterAll(async () => {
    await workspace.close()
    await rm(folder, { recursive: true, force: true })
  })

  for (const { name, file, args } of RUNTIMES)
    test.runIf(isThere(file))(`works in ${name}`, async () => {
      const { stdout } = await run(file, [...args, path.join(folder, 'smoke.mjs'), JSON.stringify(options)])
      expect(JSON.parse(stdout)).toEqual(EXPECTED)
    })
})
