import { isIPv6 } from 'node:net'

/**
 * Returns the network that counts as one client for limits: an IPv4 address, or the first 64 bits of an IPv6 address,
 * because the owner of such a network is free to choose the rest.
 */
export function clientNetwork(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(ip)) return ip
  const [left = '', right] = ip.split('::')
  const groups = left === '' ? [] : left.split(':')
  if (right !== undefined) {
    const last = right === '' ? [] : right.split(':')
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - last.length)).fill('0'), ...last)
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
