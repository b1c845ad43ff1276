import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { unseal } from '../kernel/sealing.ts'
import type { Settings } from '../kernel/settings.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { type Connection, IntegrationFailure } from './integration.ts'

export interface ForeignTool {
  name: string
  description: string
  /** JSON schema, as the server gives it. */
  input: object
}

export interface OpenIntegration {
  displayName: string
  tools: ForeignTool[]
  /** What must never be shown. */
  token: string | undefined
  call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<{ isError: boolean; text: string }>
  close(): Promise<void>
}

const CONNECT_WITHIN_MS = 15_000
const ANSWER_WITHIN_MS = 60_000
const MOST_TOOLS = 100

/** Connects to a server of tools and asks what it offers. */
export async function openIntegration(
  connection: Connection,
  settings: Settings,
  signal: AbortSignal,
): Promise<OpenIntegration> {
  const token = await tokenOf(connection, settings)
  const { Client: McpClient } = await import('@modelcontextprotocol/sdk/client/index.js')
  const client = new McpClient({ name: 'slipway', version: '1' })
  try {
    const within = { timeout: CONNECT_WITHIN_MS, signal }
    await client.connect(await transportOf(connection, settings, token), within)
    const tools = await listTools(client, within)
    return {
      displayName: connection.displayName,
      tools,
      token,
      call: (name, input, signal) => call(client, name, input, signal),
      close: () => client.close().catch(() => undefined),
    }
  } catch (err) {
    await client.close().catch(() => undefined)
    signal.throwIfAborted()
    throw new IntegrationFailure(connection.displayName, reasonOf(err, token))
  }
}

async function tokenOf({ id, displayName, sealedToken }: Connection, { secretKey }: Settings) {
  if (sealedToken === null) return undefined
  const token = unseal(await secretKey(), id, sealedToken)
  if (token === undefined)
    throw new IntegrationFailure(
      displayName,
      'its token was stored with another SECRET_KEY. Set the same one on every node, or connect it again.',
    )
  return token
}

async function transportOf(
  { url, commandName, displayName }: Connection,
  { integrations }: Settings,
  token: string | undefined,
): Promise<Transport> {
  if (url !== null) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
    return new StreamableHTTPClientTransport(new URL(url), {
      fetch: guardedFetch(integrations.privateHosts) as never,
      requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
    }) as Transport
  }
  const [command, ...args] = integrations.stdioCommands[commandName!] ?? []
  if (command === undefined)
    throw new IntegrationFailure(displayName, `the operator no longer allows the command "${commandName}".`)
  const { getDefaultEnvironment, StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  const env = { ...getDefaultEnvironment(), ...(token === undefined ? {} : { INTEGRATION_TOKEN: token }) }
  return new StdioClientTransport({ command, args, env, stderr: 'ignore' })
}

async function listTools(client: Client, within: { timeout: number; signal: AbortSignal }): Promise<ForeignTool[]> {
  const found: ForeignTool[] = []
  let cursor: string | undefined
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, within)
    for (const { name, description = '', inputSchema } of page.tools)
      found.push({ name, description: description.slice(0, 4_000), input: inputSchema })
    cursor = page.nextCursor
  } while (cursor !== undefined && found.length < MOST_TOOLS)
  return found.slice(0, MOST_TOOLS)
}

async function call(client: Client, name: string, input: Record<string, unknown>, signal: AbortSignal) {
  const result = await client.callTool({ name, arguments: input }, undefined, { timeout: ANSWER_WITHIN_MS, signal })
  const parts = (result.content ?? []) as { type: string; text?: string }[]
  const texts = parts.map((part) => (part.type === 'text' ? (part.text ?? '') : `[${part.type}]`))
  const text = texts.length > 0 ? texts.join('\n') : JSON.stringify(result.structuredContent ?? null)
  return { isError: result.isError === true, text }
}

function reasonOf(err: unknown, token: string | undefined): string {
  const { message, cause } = err as Error
  const text = cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message
  const line = (token === undefined ? text : text.replaceAll(token, '[redacted]')).replace(/\s+/g, ' ')
  return `${line.slice(0, 300)}.`.replace(/\.+$/, '.')
}
