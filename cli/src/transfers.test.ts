import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorkspace, startServer, type Workspace } from '../../sdk/src/running-server.factory.ts'
import { runTransfers } from '../../server/src/product/transfers/transfer.factory.ts'
import { eventually, type Member } from '../../server/test/harness.ts'

const BIN = path.resolve(import.meta.dirname, '../bin/slipway.mjs')

let ws: Workspace
let baseUrl: string
let folder: string
beforeAll(async () => {
  ws = await openWorkspace()
  baseUrl = (await startServer(ws)).baseUrl
  folder = await mkdtemp(path.join(tmpdir(), 'slipway-cli-'))
})
afterAll(async () => {
  await ws.close()
  await rm(folder, { recursive: true, force: true })
})

async function slipway({ key }: Member, ...args: string[]) {
  const env = { PATH: process.env.PATH!, SLIPWAY_URL: baseUrl, SLIPWAY_KEY: key, XDG_CONFIG_HOME: folder }
  const child = spawn(process.execPath, [BIN, ...args], { env })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}

/** The same, while a worker does what it asks for. */
async function working(project: { id: string; admin: Member }, ...args: string[]) {
  const running = slipway(project.admin, ...args)
  let isOver = false
  void running.finally(() => {
    isOver = true
  })
  await eventually(async () => {
    await runTransfers(ws, project.id)
    return isOver
  }, 60_000)
  return running
}

it('a project goes into a file and comes back into a new project', async () => {
  const project = await ws.project()
  const csv = path.join(folder, 'issues.csv')
  await writeFile(csv, 'Title,Status\nRound the total,In progress\n')
  const shown = await slipway(project.admin, 'import', 'work-orders', csv, '--dry-run')
  expect(shown.out).toContain('Title → title')
  expect(shown.out).toContain('Would create 1, skip 0 that are here, and refuse 0.')
  expect((await working(project, 'import', 'work-orders', csv)).out).toBe('Imported: 1 created.\n')
  const file = path.join(folder, 'project.zip')
  const exported = await working(project, 'export', file)
  expect(exported.err).toBe('')
  expect(exported.out).toContain('1 work orders')
  expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK')
  const copy = await ws.project()
  const imported = await working(copy, 'import', file)
  expect(imported.out).toContain('1 work orders')
  expect(imported.out).toMatch(/^people\.jsonl: ".+" \(.+\) is not in this organization, so only the name comes\.$/m)
  expect(imported.code).toBe(7)
  expect((await copy.admin.api.get('/work_orders')).body.items).toMatchObject([
    { title: 'Round the total', status: 'in_progress', work_order_number: 1 },
  ])
  const again = await slipway(copy.admin, 'import', file)
  expect(again).toMatchObject({ code: 5, err: expect.stringContaining('somebody has already worked in this one') })
})

it('a folder of markdown is shown first, then imported', async () => {
  const project = await ws.project()
  const docs = path.join(folder, 'docs')
  await mkdir(path.join(docs, 'guide'), { recursive: true })
  await mkdir(path.join(docs, '.git'))
  await writeFile(path.join(docs, 'guide', 'install.md'), '# Install\n')
  await writeFile(path.join(docs, '.git', 'hidden.md'), '# Hidden\n')
  const shown = await slipway(project.admin, 'import', 'docs', docs, '--dry-run')
  expect(shown.out).toBe(
    'guide  guide/\n  Install  docs/guide/install.md\nWould create 2, skip 0 that are here, and refuse 0.\n',
  )
  expect((await working(project, 'import', 'docs', docs)).out).toBe('Imported: 2 created.\n')
  const again = await working(project, 'import', 'docs', docs)
  expect(again).toMatchObject({ code: 7, err: expect.stringContaining('Not everything is as in the file') })
  expect(again.out).toBe('Imported: 2 skipped.\ndocs/guide/install.md: It is skipped: "Install" is here already.\n')
  expect((await slipway(project.admin, 'import', 'docs', docs, '--dry-run')).code).toBe(7)
  await writeFile(path.join(docs, 'guide', 'open.md'), '# Install\n\n```\ncode\n')
  const changed = await working(project, 'import', 'docs', docs, '--json')
  expect(changed.code).toBe(7)
  expect(JSON.parse(changed.out)).toMatchObject({
    counts: { created: 1, skipped: 2, changed: 1 },
    problems: [{ where: 'docs/guide/install.md' }, { where: 'docs/guide/open.md' }],
  })
  await writeFile(path.join(docs, 'guide', 'plan.png'), 'a picture')
  const withPicture = await slipway(project.admin, 'import', 'docs', docs, '--dry-run')
  expect(withPicture.out).toContain('docs/guide/plan.png: It is left out: It is not a markdown file (".md").\n')
  expect((await slipway(project.admin, 'import', 'docs', path.join(folder, 'nowhere'))).code).toBe(4)
  expect((await slipway(project.admin, 'import')).code).toBe(2)
})
