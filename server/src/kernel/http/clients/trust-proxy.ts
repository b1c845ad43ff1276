import { BlockList, isIP } from 'node:net'
import { ConfigError } from '../../environment.ts'

/** Decides whether to trust what a peer says about its client. Hop 0 is the peer itself. */
export type TrustProxy = (address: string, hop: number) => boolean

export const trustNobody: TrustProxy = () => false

/** Parses `TRUST_PROXY`: "off", the number of proxies, or their addresses and networks. */
export function readTrustProxy(text: string): TrustProxy {
  if (text === 'off') return trustNobody
  if (/^\d{1,2}$/.test(text)) return (_address, hop) => hop < Number(text)
  const proxies = new BlockList()
  for (const network of text.split(',')) {
    const [address = '', bits] = network.trim().split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    const longest = family === 'ipv6' ? 128 : 32
    const length = bits === undefined ? longest : Number(bits)
    if (isIP(address) === 0 || bits === '' || !Number.isInteger(length) || length < 0 || length > longest)
      throw new ConfigError(
        `TRUST_PROXY="${text}" must be "off", a number of proxies such as "1", or addresses such as "10.0.0.5, 10.1.0.0/16".`,
      )
    proxies.addSubnet(address, length, family)
  }
  // A header need not contain a valid address.
  return (address) => isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
