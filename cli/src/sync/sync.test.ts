import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, temporaryFolder, useServer } from '../command-line.factory.ts'

const { setUp } = useServer()

describe('documents as files', () => {
  const CONTENT = '---\ntitle: theirs\n---\n\n# Gift wrapping\r\n\nPaper, *ribbon* \nno newline at the end'

  async function pulled() {
    const all = await setUp()
    const { api } = all
    const parent = (await api.post('/requirements', { title: 'Gifts / more', document_type: 'OVERVIEW' })).body.data
    const { body } = await api.post('/requirements', {
      title: 'Gift: wrapping',
      document_type: 'OVERVIEW',
      parent_id: parent.id,
      markdown_content: CONTENT,
    })
    const folder = await temporaryFolder()
    const { code, err } = await all.slipway('docs', 'pull', folder)
    expect(err).toBe('')
    expect(code).toBe(0)
    const file = path.join(folder, 'requirements/overview/gifts-more/gift-wrapping.md')
    const read = () => readFile(file, 'utf8')
    const server = async () => (await api.get(`/requirements/${body.data.id}`)).body.data
    return { ...all, folder, id: body.data.id as string, file, read, server }
  }

  it('come with the tree as folders, and go back without a changed byte', async () => {
    const { slipway, folder, id, read, server } = await pulled()
    const file = await read()
    expect(file.endsWith(`\n---\n${CONTENT}`)).toBe(true)
    expect(file).toContain(`id: ${id}`)
    expect((await slipway('docs', 'status', folder)).out).toBe('Nothing changed.\n')
    expect((await slipway('docs', 'push', folder)).out).toBe('Pushed 0 documents.\n')
    expect((await server()).version_number).toBe(1)
    expect((await slipway('docs', 'pull', folder)).out).toBe('Pulled 0 documents.\n')
    expect(await read()).toBe(file)
  })

  it('have names that every file system keeps as they are', async () => {
    const { api, slipway, folder } = await pulled()
    await api.post('/requirements', { title: `a${'𠮷'.repeat(90)}`, document_type: 'OVERVIEW' })
    expect((await slipway('docs', 'pull', folder)).out).toBe('Pulled 1 document.\n')
    expect((await slipway('docs', 'status', folder)).out).toBe('Nothing changed.\n')
  })

  it('are pushed when they changed, and created when they are new', async () => {
    const { api, slipway, json, folder, file, read, server } = await pulled()
    await writeFile(file, (await read()).replace('ribbon', 'string').replace('Gift: wrapping', 'Wrapping'))
    await writeFile(path.join(path.dirname(file), 'cards.md'), '# Greeting cards\n\nOne for each gift.\n')
    expect(await json('docs', 'status', folder)).toMatchObject([{ local: 'new' }, { local: 'changed' }])
    expect((await slipway('docs', 'diff', folder)).out).toContain('+Paper, *string*')
    expect((await slipway('docs', 'push', folder)).out).toBe('Pushed 2 documents.\n')
    expect(await server()).toMatchObject({
      title: 'Wrapping',
      markdown_content: CONTENT.replace('ribbon', 'string'),
    })
    const { items } = (await api.get('/requirements?title=Greeting')).body
    expect(items).toMatchObject([{ title: 'Greeting cards', parent_id: (await server()).parent_id }])
    expect((await slipway('docs', 'status', folder)).out).toBe('Nothing changed.\n')
  })

  it('are left alone where both sides changed', async () => {
    const { api, slipway, folder, id, file, read, server } = await pulled()
    await api.patch(`/requirements/${id}`, { markdown_content: 'Theirs.\n' })
    await writeFile(file, (await read()).replace('ribbon', 'string'))
    expect((await slipway('docs', 'status', folder)).out).toContain('conflict: requirements/overview/gifts-more/')
    for (const direction of ['pull', 'push']) {
      const { code, err } = await slipway('docs', direction, folder)
      expect(code).toBe(5)
      expect(err).toContain('gift-wrapping.md')
    }
    expect((await server()).markdown_content).toBe('Theirs.\n')
    expect(await read()).toContain('string')
  })

  it('are proposed with --suggest', async () => {
    const { slipway, folder, file, read, server, id, api } = await pulled()
    await writeFile(file, (await read()).replace('*ribbon*', '*string*'))
    expect((await slipway('docs', 'push', folder, '--suggest')).out).toBe('Proposed 1 document.\n')
    const { items } = (await api.get(`/requirements/${id}/suggestions`)).body
    expect(items.length).toBeGreaterThan(0)
    expect((await server()).markdown_content).toContain('{')
    expect((await slipway('docs', 'status', folder)).out).toBe('Nothing changed.\n')
  })

  it('are proposed by the paragraph that changed', async () => {
    const { slipway, folder, file, read, server } = await pulled()
    const head = (await read()).slice(0, -CONTENT.length)
    await writeFile(file, `${head}One.\n\nTwo.\n\n\`\`\`\ncode\n\nmore\n\`\`\`\n\nLast.\n`)
    expect((await slipway('docs', 'push', folder)).code).toBe(0)
    await writeFile(file, (await read()).replace('Two.', 'Second.'))
    expect((await slipway('docs', 'push', folder, '--suggest')).code).toBe(0)
    expect((await server()).markdown_content).toMatch(/^One\.\n\n\{--Two\.--\}\{\+\+Second\.\+\+\}\n\n```/)
    expect((await slipway('docs', 'push', folder, '--suggest')).out).toBe('Proposed 0 documents.\n')
    await writeFile(file, (await read()).replace('One.', 'First.').replace('Last.', 'At last.'))
    expect((await slipway('docs', 'push', folder, '--suggest')).code).toBe(0)
    expect((await server()).markdown_content).toMatch(
      /^\{--One\.--\}\{\+\+First\.\+\+\}\n\n\{--Two[^`]+```\ncode\n\nmore\n```\n\n\{--Last\.--\}\{\+\+At last\.\+\+\}\n$/,
    )
    await writeFile(file, (await read()).replace('title: "Gift: wrapping"', 'title: "Wrapping"'))
    const renamed = await slipway('docs', 'push', folder, '--suggest')
    expect([renamed.code, renamed.err]).toEqual([7, expect.stringContaining('A title cannot be proposed.')])
    expect(await read()).toContain('"Wrapping"')
  })

  it('stay the same when an editor changed line ends or added a byte order mark', async () => {
    const { slipway, folder, file, read, server } = await pulled()
    const { markdown_content } = await server()
    const unix = (await read()).replaceAll('\r\n', '\n')
    await writeFile(file, `\uFEFF${unix.replaceAll('\n', '\r\n').replace('ribbon', 'string')}`)
    expect((await slipway('docs', 'push', folder)).out).toBe('Pushed 1 document.\n')
    expect((await server()).markdown_content).toBe(
      markdown_content.replaceAll('\r\n', '\n').replace('ribbon', 'string'),
    )
  })

  it('are still the same after their file was moved', async () => {
    const { api, slipway, folder, id, file, read, server } = await pulled()
    const before = (await api.get('/requirements')).body.total
    const moved = path.join(folder, 'requirements/overview/paper.md')
    await writeFile(moved, (await read()).replace('ribbon', 'string'))
    await rm(file)
    expect((await slipway('docs', 'status', folder)).out).toBe('changed here: requirements/overview/paper.md\n')
    expect((await slipway('docs', 'push', folder)).out).toBe('Pushed 1 document.\n')
    expect((await server()).markdown_content).toContain('string')
    await api.patch(`/requirements/${id}`, { markdown_content: 'Theirs.\n' })
    expect((await slipway('docs', 'pull', folder)).out).toBe('Pulled 1 document.\n')
    expect(await readFile(moved, 'utf8')).toContain('Theirs.')
    expect((await api.get('/requirements')).body.total).toBe(before)
  })

  it('that cannot be sent are named, and keep no other from being sent, once', async () => {
    const { api, slipway, folder, file, read } = await pulled()
    const at = (name: string) => path.join(path.dirname(file), name)
    await writeFile(at('a-good.md'), 'Good.')
    await writeFile(at('b-bad.md'), 'Bad \u0001')
    await writeFile(at('c-copy.md'), await read())
    await writeFile(at('d-torn.md'), '---\nslipway:\n  title: Torn\n')
    await writeFile(at('e-foreign.md'), (await read()).replace(/id: .*/, 'id: 01a1e922-db7c-705f-9f45-09c2ff4476ab'))
    await writeFile(at('f-good.md'), 'Good.')
    const ran = await slipway('docs', 'push', folder)
    expect([ran.code, ran.out]).toEqual([7, 'Pushed 2 documents.\n'])
    expect(ran.err).toMatch(/b-bad\.md: The markdown is not valid/)
    expect(ran.err).toMatch(/c-copy\.md: It is a copy of .*gift-wrapping\.md/)
    expect(ran.err).toMatch(/d-torn\.md: Its head has no end/)
    expect(ran.err).toMatch(/e-foreign\.md: Its head names a document that was not pulled/)
    expect((await slipway('docs', 'push', folder)).out).toBe('Pushed 0 documents.\n')
    expect((await api.get('/requirements?title=-good')).body.total).toBe(2)
  })

  it('are taken over from a folder that somebody else pulled', async () => {
    const { slipway, folder, file, read } = await pulled()
    await writeFile(file, (await read()).replace('ribbon', 'string'))
    await rm(path.join(folder, '.slipway'), { recursive: true })
    expect((await slipway('docs', 'pull', folder)).code).toBe(0)
    expect(await read()).toContain('string')
    expect((await slipway('docs', 'status', folder)).out).toMatch(/^changed here: .*gift-wrapping\.md\n$/)
    expect((await slipway('docs', 'push', folder)).out).toBe('Pushed 1 document.\n')
  })

  it('of another project are not mixed in', async () => {
    const { folder, file, read } = await pulled()
    const before = await read()
    const other = await setUp()
    await writeFile(path.join(path.dirname(file), 'new.md'), 'New.')
    for (const verb of ['pull', 'push', 'status']) {
      const ran = await other.slipway('docs', verb, folder)
      expect([ran.code, ran.err]).toEqual([5, expect.stringContaining('another project')])
    }
    expect(await read()).toBe(before)
    expect((await other.api.get('/requirements?title=new')).body.total).toBe(0)
  })

  it('go into the category of their folder', async () => {
    const { api, slipway, folder } = await pulled()
    const { items } = (await api.get('/blueprints/categories')).body
    const { name } = items.find((one: { locked: boolean }) => !one.locked)
    const place = path.join(folder, 'blueprints', name.toLowerCase())
    await mkdir(place, { recursive: true })
    await writeFile(path.join(place, 'queue.md'), 'A queue.')
    await writeFile(path.join(folder, 'requirements', 'loose.md'), 'A feature.')
    expect((await slipway('docs', 'push', folder)).out).toBe('Pushed 2 documents.\n')
    expect((await api.get('/blueprints?title=queue')).body.items).toMatchObject([{ category_name: name }])
    expect((await api.get('/requirements?title=loose')).body.items).toMatchObject([{ document_type: 'FEATURE' }])
  })

  it('below a folder without a document get one for the folder', async () => {
    const { api, slipway, folder, file } = await pulled()
    const place = path.join(path.dirname(file), 'paper', 'kinds')
    await mkdir(place, { recursive: true })
    await writeFile(path.join(place, 'rice.md'), '# Rice paper\n')
    expect((await slipway('docs', 'push', folder)).out).toBe('Pushed 3 documents.\n')
    const titled = async (title: string) => (await api.get(`/requirements?title=${title}`)).body.items[0]
    const [gifts, paper, kinds, rice] = [
      await titled('Gifts'),
      await titled('paper'),
      await titled('kinds'),
      await titled('Rice'),
    ]
    expect([paper.parent_id, kinds.parent_id, rice.parent_id]).toEqual([gifts.id, paper.id, kinds.id])
    expect((await slipway('docs', 'status', folder)).out).toBe('Nothing changed.\n')
  })

  it('stay here and are named when the document of their folder cannot be sent', async () => {
    const { api, slipway, folder, file } = await pulled()
    const place = path.join(path.dirname(file), 'paper')
    await mkdir(place)
    await writeFile(`${place}.md`, '```\nopen')
    await writeFile(path.join(place, 'rice.md'), '# Rice paper\n')
    const ran = await slipway('docs', 'push', folder)
    expect([ran.code, ran.out]).toEqual([7, 'Pushed 0 documents.\n'])
    expect(ran.err).toMatch(/paper\/rice\.md: ".*paper\.md", the document of its folder, was not sent\./)
    expect((await api.get('/requirements?title=Rice')).body.total).toBe(0)
  })

  it('that are not there are no success', async () => {
    const { slipway, folder } = await pulled()
    for (const verb of ['push', 'status', 'diff'])
      expect((await slipway('docs', verb, path.join(folder, 'nothing'))).code).toBe(4)
  })

  it('disappear when they were deleted on the server', async () => {
    const { api, slipway, folder, id, read } = await pulled()
    await api.delete(`/requirements/${id}`)
    expect((await slipway('docs', 'pull', folder)).code).toBe(0)
    await expect(read()).rejects.toThrow('ENOENT')
  })

  it('of another server are not mixed in', async () => {
    const { baseUrl, env, folder } = await pulled()
    const ran = await run(['docs', 'status', folder], {
      ...env,
      SLIPWAY_URL: baseUrl.replace('127.0.0.1', 'localhost'),
    })
    expect(ran.code).toBe(5)
  })
})
