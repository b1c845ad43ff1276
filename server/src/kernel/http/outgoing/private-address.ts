import { BlockList, isIPv4 } from 'node:net'

// Two lists, because in a mixed list the mapped addresses (::ffff:0:0/96) would match every IPv4 address.
const ipv4 = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  ipv4.addSubnet(network, bits, 'ipv4')

/** Ranges that embed an IPv4 address (compatible, mapped, NAT64, 6to4, Teredo) are refused entirely. */
const ipv6 = new BlockList()
for (const [network, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  ipv6.addSubnet(network, bits, 'ipv6')

/** True if an address may lead into the operator's own network, which members must not reach through the server. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%')
  return isIPv4(plain) ? ipv4.check(plain, 'ipv4') : ipv6.check(plain, 'ipv6')
}
