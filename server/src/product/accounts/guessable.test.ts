import { describe, expect, test } from 'vitest'
import { guessableBecause } from './guessable.ts'

const ADA = { name: 'Ada Lovelace', email: 'ada.lovelace@example.org' }

describe('a password', () => {
  test.each([
    ...['password', 'Password1!', 'PASSWORD', 'p@ssw0rd', '!password!', '12345678', '1234567890', '87654321'],
    ...[
      'aaaaaaaa',
      '12121212',
      'abcdefgh',
      'qwertyuiop',
      '1q2w3e4r',
      'Summer2026!',
      'letmein1',
      'iloveyou',
      'slipway123',
      'starwars',
      'Mercedes',
      'snowboard7',
      'qazwsxedc',
      'Willkommen1',
    ],
  ])('%s is refused because anyone tries it first', async (password) =>
    expect(await guessableBecause(password, ADA)).toMatch(/^This password is one of the first/),
  )

  test.each([
    ...['Ada Lovelace', 'adalovelace', 'AdaLovelace1', 'ada.lovelace', 'ada.lovelace@example.org', 'Ada-Lovelace-1815'],
  ])('%s is refused because it is the person', async (password) =>
    expect(await guessableBecause(password, ADA)).toMatch(/^This password is your name/),
  )

  test.each([
    ...[
      'correct horse battery',
      'seven77x',
      'x8#kQ2pL',
      'password of my grandmother',
      'lovelace and babbage',
      'ÄÖÜäöüßé',
    ],
    ...['74920184-hello-55', 'ada.lovelace is not it'],
  ])('%s is possible', async (password) => expect(await guessableBecause(password, ADA)).toBeUndefined())

  test('of a person without a name is judged without one', async () =>
    expect(await guessableBecause('x8#kQ2pL', { name: '', email: '' })).toBeUndefined())
})
