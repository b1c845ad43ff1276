import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { openWorkspace, startServer, type Workspace } from '../../sdk/src/running-server.factory.ts'
import { settings } from '../../server/src/product/webhooks/webhook.factory.ts'

export const BIN = path.resolve(import.meta.dirname, '../bin/slipway.mjs')

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'slipway-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

interface Ran {
  code: number | null
  out: string
  err: string
}

/** Runs the program as people do. */
export async function run(args: string[], env: Record<string, string>, input = ''): Promise<Ran> {
  const child = spawn(process.execPath, [BIN, ...args], { env: { PATH: process.env.PATH!, ...env } })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}

/** A server for the tests of a file. */
export function useServer() {
  let ws: Workspace
  let baseUrl: string
  beforeAll(async () => {
    ws = await openWorkspace({ settings: settings() })
    baseUrl = (await startServer(ws)).baseUrl
  })
  afterAll(() => ws.close())

  /** A project of its own, with the command line signed in to it. */
  async function setUp() {
    const project = await ws.project()
    const home = await temporaryFolder()
    const env = { SLIPWAY_URL: baseUrl, SLIPWAY_KEY: project.admin.key, XDG_CONFIG_HOME: home }
    const slipway = (...args: string[]) => run(args, env)
    const json = async (...args: string[]) => {
      const { code, out, err } = await slipway('--json', ...args)
      expect(err).toBe('')
      expect(code).toBe(0)
      return JSON.parse(out)
    }
    return { project, api: project.admin.api, baseUrl, home, env, slipway, json }
  }
  return { setUp }
}
