import { type LookupAddress, lookup as resolveName } from 'node:dns'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivateAddress } from './private-address.ts'

const MAX_RESPONSE_BYTES = 1024 * 1024

interface GuardedRequest {
  headers: Record<string, string>
  body: string
  signal: AbortSignal
  privateHosts: boolean
  /** The setting with which the operator allows private addresses. */
  allowedBy?: string
}

/** Posts to an untrusted server: refuses private addresses and follows no redirect. */
export async function guardedPost(
  url: URL,
  { privateHosts, allowedBy, body, ...options }: GuardedRequest,
): Promise<IncomingMessage> {
  if (!privateHosts) refusePrivateHost(url, allowedBy)
  const { request } = url.protocol === 'https:' ? https : http
  const lookup = privateHosts ? {} : { lookup: guardedLookup(undefined, allowedBy) }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // Not the agent that all share: a connection that it keeps open may not have been checked.
    request(url, { method: 'POST', agent: false, ...options, ...lookup }, resolve)
      .on('error', reject)
      .end(body)
  })
  const status = answer.statusCode!
  if (!isRedirect(status)) return answer
  answer.destroy()
  throw redirects(status)
}

/** Node does not look up a host that is already an address. */
export function refusePrivateHost(url: URL, allowedBy?: string): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && isPrivateAddress(host)) throw inOwnNetwork(host, allowedBy)
}

export const isRedirect = (status: number) => status >= 300 && status < 400
export const redirects = (status: number) =>
  new Error(`it answered ${status}: it redirects to another address, and redirects are not followed`)

/**
 * Looks up a name for a socket and refuses private addresses. The socket connects to the addresses that were checked,
 * so a name that changes between two lookups gains nothing.
 */
export function guardedLookup(resolve = resolveName as unknown as LookupFunction, allowedBy?: string): LookupFunction {
  return (host, options, done) =>
    resolve(host, { ...options, all: true }, (err, found) => {
      const addresses = (err ? [] : found) as LookupAddress[]
      const fault =
        err ?? (addresses.some(({ address }) => isPrivateAddress(address)) ? inOwnNetwork(host, allowedBy) : null)
      if (fault || options.all) done(fault, fault ? [] : addresses)
      else done(null, addresses[0]!.address, addresses[0]!.family)
    })
}

const inOwnNetwork = (host: string, allowedBy = 'MCP_PRIVATE_HOSTS') =>
  new Error(`"${host}" is in the server's own network; the operator has to allow that (${allowedBy}=on)`)

/** Yields the text of an answer as it arrives. */
export async function* readBounded(answer: IncomingMessage): AsyncGenerator<string> {
  let bytes = 0
  const decoder = new TextDecoder()
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES)
      throw new Error(`its answer is longer than ${MAX_RESPONSE_BYTES.toLocaleString('en')} bytes`)
    yield decoder.decode(chunk, { stream: true })
  }
}
