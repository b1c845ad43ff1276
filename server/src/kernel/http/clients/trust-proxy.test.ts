import { expect, test } from 'vitest'
import { ConfigError } from '../../environment.ts'
import { clientNetwork } from './client-network.ts'
import { readTrustProxy } from './trust-proxy.ts'

test('no proxy is trusted by default', () => {
  expect(readTrustProxy('off')('127.0.0.1', 0)).toBe(false)
  expect(readTrustProxy('0')('127.0.0.1', 0)).toBe(false)
})

test('a number trusts that many hops, regardless of address', () => {
  const trusts = readTrustProxy('2')
  expect([0, 1, 2].map((hop) => trusts('203.0.113.1', hop))).toEqual([true, true, false])
})

test('listed addresses and networks are trusted, also for IPv4 over an IPv6 socket', () => {
  const trusts = readTrustProxy('10.0.0.5, 10.1.0.0/16,2001:db8::/32')
  for (const address of ['10.0.0.5', '::ffff:10.0.0.5', '10.1.255.1', '2001:db8:1::1'])
    expect(trusts(address, 3), address).toBe(true)
  for (const address of ['10.0.0.6', '10.2.0.1', '2001:db9::1', 'unknown', ''])
    expect(trusts(address, 0), address).toBe(false)
})

test.each(['yes', '-1', '10.0.0.0/33', '10.0.0.0/', '10.0.0', '::1/129', '1,'])(
  '%j is refused with the name of the setting',
  (text) => {
    expect(() => readTrustProxy(text)).toThrow(ConfigError)
    expect(() => readTrustProxy(text)).toThrow(`TRUST_PROXY="${text}"`)
  },
)

test('one client is one IPv4 address or one IPv6 /64 network', () => {
  expect(clientNetwork('203.0.113.7')).toBe('203.0.113.7')
  expect(clientNetwork('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(clientNetwork('2001:db8::1')).toBe(clientNetwork('2001:DB8:0:0:ffff:1:2:3'))
  expect(clientNetwork('2001:db8:0:1::1')).not.toBe(clientNetwork('2001:db8::1'))
  expect(clientNetwork('1:2:3:4:5:6:7::')).toBe(clientNetwork('1:2:3:4::'))
  expect(clientNetwork('::1')).toBe('0:0:0:0::/64')
})
