import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Addresses inside the operator's own network, which members must not reach through the server. */
const inside = new BlockList()
for (const [address, bits] of [
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
  inside.addSubnet(address, bits, 'ipv4')
for (const [address, bits] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inside.addSubnet(address, bits, 'ipv6')

/**
 * A fetch that stays out of the own network and follows no redirect, by which a server outside could send it back in.
 * Between the look at a name and its use the name could change: whoever must rule that out gives the process a proxy or a
 * firewall.
 */
export function guardedFetch(privateHosts: boolean): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!privateHosts) await refuseInside(url.hostname.replace(/^\[|\]$/g, ''))
    return fetch(input, { ...init, redirect: 'error' })
  }
}

async function refuseInside(host: string): Promise<void> {
  const addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address)
  if (addresses.some(isInside))
    throw new Error(`"${host}" is in the server's own network; the operator has to allow that (MCP_PRIVATE_HOSTS=on)`)
}

function isInside(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const plain = mapped ?? address
  if (isIP(plain) === 4) return inside.check(plain, 'ipv4')
  // Mapped addresses written in hexadecimal have no other use than to look like something else.
  return /^::ffff:/i.test(plain) || inside.check(plain, 'ipv6')
}
