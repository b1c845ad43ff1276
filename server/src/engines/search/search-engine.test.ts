import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../../test/harness.ts'
import type { Text } from './collection.ts'
import { createSearchEngine, type SearchEngine, SearchFailure } from './index.ts'
import { openSpool } from './spool.ts'

let parentFolder: string
let engine: SearchEngine
beforeEach(() => {
  parentFolder = mkdtempSync(path.join(tmpdir(), 'spool-test-'))
  engine = createSearchEngine({ parentFolder })
})
afterEach(() => {
  engine.close()
  rmSync(parentFolder, { recursive: true, force: true })
})

const textOf = (id: string, body: string, more: Partial<Text> = {}): Text => ({
  id,
  title: `title ${id}`,
  body,
  rank: 1,
  label: '',
  ...more,
})
const write = (key: string, version: string, texts: Text[], size = texts.length) =>
  engine.write({ key, texts, complete: { version, size } })
const find = (pattern: string, { key = 'k', version = '1', contextLines = 2 } = {}) => {
  const query = { pattern, caseSensitive: false }
  return engine.find({ key, version, query, limit: 100, contextLines, maxCharacters: 1e6, timeoutMs: 20_000 })
}
/** Returns the matching lines as `<id>:<line>`. */
async function linesOf(pattern: string, more = {}): Promise<string[]> {
  const found = await find(pattern, more)
  if (found.is !== 'found') return [found.is]
  return found.texts.flatMap(({ id, matches }) => matches.map(({ number }) => `${id}:${number}`))
}
const folders = () => readdirSync(parentFolder).map((name) => path.join(parentFolder, name))
const childPid = () => Number(path.basename(folders()[0]!).split('-')[2])

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('texts that share a file', () => {
  it('have the same lines as in separate files', async () => {
    const bodies = ['a', '', 'b\n', '\n', 'c\n\n', '\nd']
    await write(
      'k',
      '1',
      bodies.map((body, at) => textOf(String(at), body)),
    )
    expect(await linesOf('^$')).toEqual(['3:1', '4:2', '5:1'])
    expect(await linesOf('.*')).toEqual(['0:1', '2:1', '3:1', '4:1', '4:2', '5:1', '5:2'])
    expect(await linesOf('a[^x]*b|a\\s+b|(?s)a.+b')).toEqual([])
    expect(await linesOf('\\Ab\\z')).toEqual(['2:1'])
  })

  it('show no context from their neighbours', async () => {
    await write('k', '1', [textOf('0', 'before'), textOf('1', 'one\ntwo'), textOf('2', 'after')])
    const found = await find('one|two', { contextLines: 10 })
    expect(found).toMatchObject({
      texts: [
        {
          id: '1',
          matches: [
            { number: 1, line: 'one', before: [], after: ['two'] },
            { number: 2, line: 'two', before: ['one'], after: [] },
          ],
        },
      ],
    })
  })
})

describe('a collection', () => {
  it('answers only for its last version', async () => {
    expect(await linesOf('x')).toEqual(['stale'])
    expect(await write('k', '1', [textOf('0', 'x')])).toBe(true)
    expect(await write('k', '2', [textOf('0', 'x\nx')])).toBe(true)
    expect(await linesOf('x')).toEqual(['stale'])
    expect(await linesOf('x', { version: '2' })).toEqual(['0:1', '0:2'])
    expect(await write('k', '3', [], 2)).toBe(false)
    expect(await linesOf('x', { version: '3' })).toEqual(['stale'])
    expect(await engine.write({ key: 'k', texts: [], onlyIds: [], complete: { version: '4', size: 0 } })).toBe(true)
    expect(await linesOf('x', { version: '4' })).toEqual([])
    expect(await linesOf('(', { version: '4' })).toEqual(['refused'])
  })

  it('does not grow when its texts are replaced repeatedly', async () => {
    const body = 'some line of text\n'.repeat(2_000)
    for (let round = 1; round <= 100; round++)
      await write(
        'k',
        String(round),
        [textOf('0', `${round}\n${body}`), textOf('1', 'stays')].slice(0, round === 1 ? 2 : 1),
        2,
      )
    const bytes = readdirSync(folders()[0]!).reduce(
      (sum, name) => sum + statSync(path.join(folders()[0]!, name)).size,
      0,
    )
    expect(bytes).toBeLessThan(600_000)
    expect(await linesOf('^\\d+$|stays', { version: '100' })).toEqual(['0:1', '1:1'])
  })

  it('is evicted if there is no room for all', () => {
    const spool = openSpool(parentFolder, { maxBytes: 1_000 })
    const put = (key: string, bytes: number) =>
      spool.write({ key, texts: [textOf('0', 'x'.repeat(bytes))], complete: { version: '1', size: 1 } })
    const query = { pattern: 'x', caseSensitive: false }
    const isThere = async (key: string) =>
      (await spool.find({ key, version: '1', query, limit: 1, contextLines: 0, maxCharacters: 1e6, timeoutMs: 9_000 }))
        .is
    put('a', 400)
    put('b', 400)
    put('c', 400)
    expect(() => put('d', 2_000)).toThrow('more than 1000 bytes')
    put('e', 100)
    spool.close()
    return expect(isThere('e')).resolves.toBe('stale')
  })
})

describe('failures', () => {
  it('fails a search if files are missing, until they are written again', async () => {
    await write('k', '1', [textOf('0', 'x')])
    for (const folder of folders()) rmSync(folder, { recursive: true })
    await expect(find('x')).rejects.toThrow(SearchFailure)
    expect(await linesOf('x')).toEqual(['stale'])
    await write('k', '2', [textOf('0', 'x')]).catch(() => undefined)
    await write('k', '3', [textOf('0', 'x')])
    expect(await linesOf('x', { version: '3' })).toEqual(['0:1'])
  })

  it('fails a search if a file was truncated', async () => {
    await write('k', '1', [textOf('0', 'x\nx\nx')])
    for (const name of readdirSync(folders()[0]!)) writeFileSync(path.join(folders()[0]!, name), 'x\n')
    await expect(find('x')).rejects.toThrow(SearchFailure)
  })

  it('fails all requests if the child dies; the next request starts a child that removes the old files', async () => {
    await write('k', '1', [textOf('0', 'x')])
    const pid = childPid()
    const asking = expect(Promise.all([find('x'), find('x'), find('x')])).rejects.toThrow(SearchFailure)
    process.kill(pid, 'SIGKILL')
    await asking
    await eventually(() => !isRunning(pid))
    expect(await linesOf('x')).toEqual(['stale'])
    await write('k', '1', [textOf('0', 'x')])
    expect(folders().length).toBe(1)
    expect(childPid()).not.toBe(pid)
  })

  it('ends the child and removes its files if the parent dies', async () => {
    const compiled = new URL('../../../dist/engines/search/index.js', import.meta.url).href
    const program = `
      setInterval(() => undefined, 1000)
      import { createSearchEngine } from ${JSON.stringify(compiled)}
      const engine = createSearchEngine({ parentFolder: ${JSON.stringify(parentFolder)} })
      await engine.write({ key: 'k', texts: [], complete: { version: '1', size: 0 } })
      console.log('ready')`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(parent.stdout, 'data')
    const pid = childPid()
    parent.kill('SIGKILL')
    await eventually(() => !isRunning(pid) && folders().length === 0)
  })
})

it('removes the folders of processes that no longer run, and nothing else', () => {
  for (const name of ['slipway-search-999999999-a', `slipway-search-${process.pid}-b`, 'slipway-search-c', 'other'])
    mkdirSync(path.join(parentFolder, name))
  openSpool(parentFolder)
  expect(readdirSync(parentFolder).sort()).toEqual(
    ['other', `slipway-search-${process.pid}-b`, 'slipway-search-c'].sort(),
  )
})
