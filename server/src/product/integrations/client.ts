import { refuseInsideTransaction } from '../../kernel/database/transaction-guard.ts'
import { quoted } from '../../kernel/errors.ts'
import { AGENT_META, agentMark } from '../../kernel/http/own-agents.ts'
import { unseal } from '../../kernel/sealing.ts'
import type { Settings } from '../../kernel/settings.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { type Ask, openHttpServer } from './http-server.ts'
import { type Connection, IntegrationFailure } from './integration.ts'
import { integrationSettings } from './settings.ts'

export interface ForeignTool {
  name: string
  description: string
  /** The JSON schema as the server sent it. */
  input: object
  /** The server says that it changes nothing. */
  isReadOnly: boolean
}

export interface OpenIntegration {
  id: string
  displayName: string
  tools: ForeignTool[]
  /** Must never be shown. */
  token: string | undefined
  call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<{ isError: boolean; text: string }>
  close(): Promise<void>
}

/** Connecting and listing all tools, however many pages they have. */
const OPEN_WITHIN_MS = 45_000
const CONNECT_WITHIN_MS = 15_000
const ANSWER_WITHIN_MS = 60_000
const MAX_TOOLS = 200
const MAX_PAGES = 20
/** The names, descriptions and schemas of all tools together. A model receives them at every step. */
const MAX_TOOLS_CHARACTERS = 500_000

/** Connects to an MCP server and lists its tools. */
export async function openIntegration(
  { wiring: { settings }, store }: Pick<JobDeps, 'wiring' | 'store'>,
  connection: Connection,
  signal: AbortSignal,
  withinMs = OPEN_WITHIN_MS,
): Promise<OpenIntegration> {
  refuseInsideTransaction('an integration')
  const token = await tokenOf(connection, settings)
  const mark = agentMark(store)
  const timeout = AbortSignal.timeout(withinMs)
  const opening = AbortSignal.any([signal, timeout])
  let close = () => Promise.resolve()
  try {
    const server = await openServer(connection, settings, token, mark, opening)
    close = server.close
    const ask: Ask = (method, params, withinMs, signal) =>
      server.ask(method, { ...params, _meta: { [AGENT_META]: mark } }, withinMs, signal)
    return {
      id: connection.id,
      displayName: connection.displayName,
      tools: await listTools(ask, opening),
      token,
      call: (name, input, signal) => callTool(ask, name, input, signal),
      close,
    }
  } catch (err) {
    await close()
    signal.throwIfAborted()
    const reason = timeout.aborted ? `it did not list its tools within ${withinMs / 1_000} s.` : reasonOf(err, token)
    throw new IntegrationFailure(connection.displayName, reason)
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

interface Server {
  ask: Ask
  close(): Promise<void>
}

async function openServer(
  { url, commandName }: Connection,
  settings: Settings,
  token: string | undefined,
  mark: string,
  signal: AbortSignal,
): Promise<Server> {
  const { privateHosts, stdioCommands } = settings.of(integrationSettings)
  if (url !== null) {
    const ask = await openHttpServer({ url: new URL(url), token, mark, privateHosts }, CONNECT_WITHIN_MS, signal)
    return { ask, close: () => Promise.resolve() }
  }
  const [command, ...args] = stdioCommands[commandName!] ?? []
  if (command === undefined) throw new Error(`the operator no longer allows the command "${commandName}"`)
  return openProgram(command, args, token, signal)
}

async function openProgram(
  command: string,
  args: string[],
  token: string | undefined,
  signal: AbortSignal,
): Promise<Server> {
  const [{ Client }, { getDefaultEnvironment, StdioClientTransport }, { ResultSchema }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  const env = { ...getDefaultEnvironment(), ...(token === undefined ? {} : { INTEGRATION_TOKEN: token }) }
  const client = new Client({ name: 'slipway', version: '1' })
  const close = () => client.close().catch(() => undefined)
  try {
    const transport = new StdioClientTransport({ command, args, env, stderr: 'ignore' })
    await client.connect(transport, { timeout: CONNECT_WITHIN_MS, signal })
  } catch (err) {
    await close()
    throw err
  }
  // `listTools` and `callTool` would compile the program's schemas and run its patterns on the main thread.
  const ask: Ask = (method, params, timeout, signal) =>
    client.request({ method, params } as never, ResultSchema, { timeout, signal })
  return { ask, close }
}

async function listTools(ask: Ask, signal: AbortSignal): Promise<ForeignTool[]> {
  const found: ForeignTool[] = []
  let characters = 0
  let cursor: unknown
  for (let page = 1; page === 1 || cursor !== undefined; page++) {
    if (page > MAX_PAGES) throw new Error(`its list of tools has more than ${MAX_PAGES} pages`)
    const params = cursor === undefined ? {} : { cursor }
    const { tools, nextCursor } = await ask('tools/list', params, CONNECT_WITHIN_MS, signal)
    for (const one of Array.isArray(tools) ? tools : []) {
      const tool = toForeignTool(one)
      if (found.push(tool) > MAX_TOOLS) throw new Error(`it offers more than ${MAX_TOOLS} tools`)
      characters += JSON.stringify(tool).length
      if (characters > MAX_TOOLS_CHARACTERS)
        throw new Error(
          `its tools are described with more than ${MAX_TOOLS_CHARACTERS.toLocaleString('en')} characters, up to the tool ${quoted(tool.name)}`,
        )
    }
    cursor = nextCursor ?? undefined
  }
  return found
}

function toForeignTool(one: unknown): ForeignTool {
  const { name, description, inputSchema, annotations } = (one ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || inputSchema === null || typeof inputSchema !== 'object')
    throw new Error(`it offers something that is not a tool: ${quoted(one)}`)
  return {
    name,
    description: typeof description === 'string' ? description.slice(0, 4_000) : '',
    input: inputSchema,
    isReadOnly: (annotations as { readOnlyHint?: unknown } | null | undefined)?.readOnlyHint === true,
  }
}

async function callTool(ask: Ask, name: string, input: Record<string, unknown>, signal: AbortSignal) {
  const { content, structuredContent, isError } = await ask(
    'tools/call',
    { name, arguments: input },
    ANSWER_WITHIN_MS,
    signal,
  )
  const parts = (Array.isArray(content) ? content : []) as ({ type?: unknown; text?: unknown } | null)[]
  const texts = parts.map((part) => (typeof part?.text === 'string' ? part.text : `[${String(part?.type)}]`))
  const text = texts.length > 0 ? texts.join('\n') : JSON.stringify(structuredContent ?? null)
  return { isError: isError === true, text }
}

function reasonOf(err: unknown, token: string | undefined): string {
  const { message, cause } = err as Error
  const text = cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message
  const line = (token === undefined ? text : text.replaceAll(token, '[redacted]')).replace(/\s+/g, ' ')
  return `${line.slice(0, 300)}.`.replace(/\.+$/, '.')
}
