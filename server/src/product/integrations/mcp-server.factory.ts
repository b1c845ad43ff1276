import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'

export interface McpServer {
  url: string
  calls: { name: string; input: unknown }[]
}

const TOOLS = [
  {
    name: 'look up',
    description: 'Looks a ticket up.',
    inputSchema: { type: 'object' as const, properties: { ticket: { type: 'string' } }, required: ['ticket'] },
  },
  {
    name: 'count',
    description: 'Counts the tickets.',
    inputSchema: { type: 'object' as const },
    annotations: { readOnlyHint: true },
  },
  { name: 'fail', description: 'Always fails.', inputSchema: { type: 'object' as const } },
  { name: 'leak', description: 'Says what it was called with.', inputSchema: { type: 'object' as const } },
]

/** An MCP server on loopback that requires a token. */
export async function mcpServer(token: string): Promise<McpServer> {
  const calls: McpServer['calls'] = []
  const http = createServer(async (req, res) => {
    if (req.headers.authorization !== `Bearer ${token}`) {
      res.writeHead(401).end('who are you?')
      return
    }
    const server = new Server({ name: 'tickets', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }))
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      calls.push({ name: params.name, input: params.arguments })
      if (params.name === 'fail') return { isError: true, content: [{ type: 'text', text: 'It is broken.' }] }
      const text = params.name === 'leak' ? `The token is ${token}.` : `Ticket ${params.arguments?.ticket} is open.`
      return { content: [{ type: 'text', text }] }
    })
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never })
    await server.connect(transport as never)
    await transport.handleRequest(req, res)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, calls }
}

/** The command line of an MCP server that speaks over standard input and output. */
export const stdioCommand = () => [
  process.execPath,
  path.resolve(import.meta.dirname, '../../../test/mcp-stdio-server.mjs'),
]

type Reply = object | { text: string } | { stream: Iterable<string> }

/**
 * A server that answers as scripted: the result of a request, possibly already as JSON, or the beginning of a stream.
 */
export async function scriptedMcpServer(
  reply: (method: string, params: Record<string, unknown>) => Reply | Promise<Reply>,
) {
  const asked: string[] = []
  const http = createServer(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    const { id, method, params = {} } = JSON.parse(text || '{}')
    asked.push(`${req.method} ${method}`)
    if (id === undefined) {
      res.writeHead(202).end()
      return
    }
    const result = method === 'initialize' ? INITIALIZED : await reply(method, params)
    if ('stream' in result) {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const part of result.stream as Iterable<string>) res.write(part)
      res.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [], content: [] } })}\n\n`)
      res.end()
      return
    }
    const json = 'text' in result ? result.text : JSON.stringify(result)
    res.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},"result":${json}}`)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, asked }
}

const INITIALIZED = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1' },
}
