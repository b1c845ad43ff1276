import { chmodSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../server/test/harness.ts'
import {
  createBatch,
  dataFolder,
  externalKey,
  knownKeys,
  outputOf,
  type RunningServer,
  reportingKey,
  repository,
  startServer,
} from '../server/test/process/running-server.ts'

const INSTALL_WITHIN_MS = 600_000

describe('the package, unpacked and installed', () => {
  const folder = dataFolder()
  const project = dataFolder()
  let server: RunningServer
  let env: Record<string, string>
  const slipway = (...args: string[]) => outputOf(project, 'npx', ['slipway', ...args], env)
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))

  beforeAll(async () => {
    // Started by root, the server becomes another user, who has to be able to read it.
    for (const one of [folder, project]) chmodSync(one, 0o755)
    const packed = await outputOf(repository, 'npm', ['run', '-s', 'package', '--', project])
    const tarball = join(project, packed.trim().split('\n').at(-1)!)
    await outputOf(folder, 'tar', ['-xzf', tarball, '--strip-components=1'])
    await outputOf(folder, 'npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'])
    await outputOf(project, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', folder])
    const dataDir = dataFolder()
    server = await startServer({ dataDir, env: knownKeys, installedIn: project })
    env = { SLIPWAY_URL: server.url, SLIPWAY_KEY: externalKey, DATA_DIR: dataDir }
  }, INSTALL_WITHIN_MS)

  test('has exactly the versions of the lock file', () => {
    const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'))
    const installed = Object.entries<{ version: string; integrity: string }>(
      read('node_modules/.package-lock.json').packages,
    )
    expect(installed.length).toBeGreaterThan(150)
    for (const [place, { version, integrity }] of installed)
      expect([place, version, integrity]).toEqual([place, lock.packages[place].version, lock.packages[place].integrity])
  })

  test('lists all that it contains: what it installs, and what is bundled', () => {
    const { bomFormat, components } = read('sbom.cdx.json')
    expect(bomFormat).toBe('CycloneDX')
    const listed = new Map<string, { properties: { name: string }[] }>(
      components.map((one: { purl: string }) => [decodeURIComponent(one.purl), one]),
    )
    for (const { name, version } of installedPackages(folder))
      expect([name, listed.has(`pkg:npm/${name}@${version}`)]).toEqual([name, true])
    const isBundled = ({ properties }: { properties: { name: string }[] }) =>
      properties.some(({ name }) => name === 'slipway:bundled')
    const bundled = [...listed].filter(([, one]) => isBundled(one)).map(([purl]) => purl.replace(/@[^@]+$/, ''))
    expect(bundled).toEqual(
      expect.arrayContaining(['fastify', 'react-dom', 'mermaid', 'commander'].map((name) => `pkg:npm/${name}`)),
    )
    expect([...listed.keys()].join()).not.toMatch(/vitest|playwright|biome/)
  })

  test('takes less than 250 MB', () => {
    const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    const bytes = files.reduce((sum, file) => sum + lstatSync(join(file.parentPath, file.name)).blocks * 512, 0)
    expect(bytes / 1e6).toBeLessThan(250)
    expect(bytes / 1e6).toBeGreaterThan(50)
  })

  test('serves the workspace, the guides, search, and feedback that is sorted', async () => {
    const page = await fetch(server.url)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>Slipway')])
    expect(await (await fetch(`${server.url}/docs/cli.md`)).text()).toContain('# The command line')
    const api = server.client()
    const text = 'Refunds are **idempotent**.\n'
    const made = await api.post('/requirements', { title: 'Refunds', document_type: 'FEATURE', markdown_content: text })
    expect(made.status).toBe(201)
    const found = await api.post('/requirements/search', { query: 'idempoten' })
    expect([found.status, JSON.stringify(found.body)]).toEqual([200, expect.stringContaining('Refunds')])
    const reported = await fetch(`${server.url}/v2/reporting-api/feedback`, {
      method: 'POST',
      headers: { 'x-api-key': reportingKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        end_user_email: 'grace@example.org',
        content: 'The refund fails, the card was replaced.',
      }),
    })
    expect([reported.status, await reported.text()]).toEqual([201, expect.anything()])
    const [triage] = (await api.get('/automations?name=triage')).body.items
    await api.patch(`/automations/${triage.id}`, { enabled: true })
    expect((await api.post(`/automations/${triage.id}/backlog`, {})).status).toBe(202)
    // The first report loads the tables of the languages.
    await eventually(async () => (await api.get('/feedback/themes')).body.items.length > 0, 60_000)
  })

  test('has the command line', async () => {
    await server.client().post('/work_orders/batch_create', createBatch('one', 'Round the total once'))
    expect(await slipway('wo', 'list')).toContain('Round the total once')
    expect(JSON.parse(await slipway('admin', 'key', 'list'))).toHaveLength(2)
  })

  test('has the typed SDK', async () => {
    writeFileSync(
      join(project, 'agent.mts'),
      `import { Slipway, SlipwayError } from 'slipway'
      const slipway = new Slipway({ baseUrl: process.env.SLIPWAY_URL!, apiKey: process.env.SLIPWAY_KEY! })
      const { items } = await slipway.workOrders.list()
      const titles: string[] = items.map(({ title }) => title)
      console.log(JSON.stringify(titles), SlipwayError.name)
      // @ts-expect-error There is no such field.
      items[0]?.nothing
      `,
    )
    const strict = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck', 'false']
    const types = ['--types', 'node', '--typeRoots', join(repository, 'node_modules/@types')]
    await outputOf(project, join(repository, 'node_modules/.bin/tsc'), ['agent.mts', ...strict, ...types])
    expect(await outputOf(project, 'node', ['agent.mjs'], env)).toContain('"Round the total once"')
  })
})

function installedPackages(folder: string): { name: string; version: string }[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  return Object.entries<{ version: string }>(packages).map(([place, { version }]) => ({
    name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
  }))
}

test('what the server needs is declared by the package', () => {
  const manifest = JSON.parse(readFileSync(join(repository, 'server/package.json'), 'utf8'))
  expect([manifest.dependencies, manifest.optionalDependencies]).toEqual([undefined, undefined])
})
