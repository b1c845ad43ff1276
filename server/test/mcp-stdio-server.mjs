import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

/** An MCP server that tests start as a process. */
const server = new Server({ name: 'clock', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: 'environment', description: 'Names the variables it sees.', inputSchema: { type: 'object' } }],
}))
server.setRequestHandler(CallToolRequestSchema, () => ({
  content: [{ type: 'text', text: `${Object.keys(process.env).sort().join(' ')} from ${process.pid}` }],
}))
await server.connect(new StdioServerTransport())
