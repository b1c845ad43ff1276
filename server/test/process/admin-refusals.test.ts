import { beforeAll, describe, expect, test } from 'vitest'
import { admin, dataFolder, knownKeys, printed, startServer } from './running-server.ts'

const dataDir = dataFolder()
const project = 'My project'
const email = 'owner@slipway.local'
const strangersKey = { kind: 'external', project, email: 'stranger@example.org' }
const ownersKey = { kind: 'external', project, email }
const nobody = '01890000-0000-7000-8000-000000000000'

/** Each case has the part of the message that tells the operator what is wrong. */
const refused: [why: string, command: string, flags: Parameters<typeof admin>[2], message: RegExp][] = [
  ['an unknown command', 'project destroy', {}, /no command "project destroy"[\s\S]*project list/],
  ['a missing flag', 'organization add', {}, /--name is missing/],
  ['an unknown flag', 'project add', { name: 'A', colour: 'red' }, /--colour[\s\S]*Usage: project add/],
  ['a role that is none', 'member add', { project, email, role: 'boss' }, /"boss".*admin, editor, viewer/],
  ['a colour that is none', 'label add', { project, title: 'A', color: 'beige' }, /"beige".*gray, red/],
  ['an unknown project', 'phase add', { project: 'None', title: 'A' }, /no project "None"/],
  ['an unknown e-mail', 'member add', { project, email: 'no@one.org', role: 'admin' }, /no user "no@one.org"/],
  ['an organization that exists', 'organization add', { name: 'my ORGANIZATION' }, /organization ".*" already/],
  ['a user that exists', 'user add', { email: 'Owner@slipway.local', name: 'A' }, /user "owner@slipway.local" already/],
  ['a project that exists', 'project add', { name: 'my project' }, /project "my project" already/],
  ['an expiry in the past', 'key add', { ...ownersKey, expires: '2020-01-01' }, /in the past/],
  ['an expiry that is no time', 'key add', { ...ownersKey, expires: 'soon' }, /"soon" is not a time/],
  ['an expiry on no day', 'key add', { ...ownersKey, expires: '2099-02-31' }, /"2099-02-31" is not a time/],
  ['an expiry in no month', 'key add', { ...ownersKey, expires: '2099-13-01' }, /"2099-13-01" is not a time/],
  ['a key for someone outside', 'key add', strangersKey, /member add/],
  ['an unknown key', 'key revoke', { id: nobody }, /no key with the id/],
  ['an unknown name of a key', 'key revoke', { name: 'Lost' }, /no key "Lost" that is not revoked/],
  ['a key that is not named', 'key revoke', {}, /either --id or --name/],
  ['someone who is no member', 'member remove', { project, email: strangersKey.email }, /is no member of "My project"/],
  ['a password for nobody', 'user reset-password', { email: 'no@one.org' }, /no user "no@one.org"/],
]

beforeAll(async () => {
  await startServer({ dataDir, env: knownKeys })
  await printed(admin(dataDir, 'user add', { email: strangersKey.email, name: 'Stranger' }))
})

describe.concurrent('the command line refuses with a clear message and prints nothing else:', () => {
  test.for(refused)('%s', async ([, command, flags, message]) => {
    const { code, stdout, stderr } = await admin(dataDir, command, flags)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('a password that is too short', async () => {
    const flags = { email: strangersKey.email }
    const { code, stdout, stderr } = await admin(dataDir, 'user reset-password', flags, { NEW_PASSWORD: 'seven77' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/8 to 128 characters/)
    expect(stderr).not.toContain('seven77')
  })

  test('an invalid setting', async () => {
    const { code, stdout, stderr } = await admin(dataDir, 'project list', {}, { PORT: 'abc' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('PORT="abc"')
  })
})
