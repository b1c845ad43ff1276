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
  { name: 'fail', description: 'Always fails.', inputSchema: { type: 'object' as const } },
  { name: 'leak', description: 'Says what it was called with.', inputSchema: { type: 'object' as const } },
]

/** A server of tools on loopback that wants a token. */
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

/** The command line of a server of tools that speaks over its standard input and output. */
export const stdioCommand = () => [
  process.execPath,
  path.resolve(import.meta.dirname, '../../test/mcp-stdio-server.mjs'),
]
