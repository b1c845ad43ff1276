/** How a coding agent is connected: where the text goes, the text, and what to do in the agent afterwards. */
export interface AgentClient {
  id: string
  name: string
  where: string
  text(url: string): string
  next: string
  /** With a key, where nobody can click. */
  whereWithKey?: string
  withKey(url: string): string
}

const pretty = (value: object) => JSON.stringify(value, undefined, 2)
const KEY_HEADER = { Authorization: 'Bearer $SLIPWAY_KEY' }
const RUN = 'Run this once, in the folder of your code.'
const ASKS = 'Your browser asks which project, and whether it may write.'
const withHeader = (line: string) => `${line} --header "Authorization: Bearer $SLIPWAY_KEY"`

const claude = (url: string) => `claude mcp add --transport http slipway ${url}`
const gemini = (url: string) => `gemini mcp add --transport http slipway ${url}`
const codex = (url: string, more: string) => `[mcp_servers.slipway]\nurl = "${url}"${more}`

/** As docs/mcp.md has them. */
export const CLIENTS: AgentClient[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    where: RUN,
    text: claude,
    next: `In Claude Code, type /mcp, choose slipway, then Authenticate. ${ASKS}`,
    withKey: (url) => withHeader(claude(url)),
  },
  {
    id: 'codex',
    name: 'Codex',
    where: 'Add this to ~/.codex/config.toml.',
    text: (url) => codex(url, ''),
    next: `Run codex mcp login slipway. ${ASKS}`,
    withKey: (url) => codex(url, '\nbearer_token_env_var = "SLIPWAY_KEY"'),
  },
  {
    id: 'cursor',
    name: 'Cursor',
    where: 'Add this to .cursor/mcp.json, in the folder of your code.',
    text: (url) => pretty({ mcpServers: { slipway: { url } } }),
    next: `In the settings of Cursor, open MCP and choose Connect. ${ASKS}`,
    withKey: (url) => pretty({ mcpServers: { slipway: { url, headers: KEY_HEADER } } }),
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    where: RUN,
    text: (url) => `code --add-mcp '${JSON.stringify({ name: 'slipway', type: 'http', url })}'`,
    next: `In VS Code, start the server “slipway” and allow it. ${ASKS}`,
    whereWithKey: 'Add this to .vscode/mcp.json, in the folder of your code.',
    withKey: (url) => pretty({ servers: { slipway: { type: 'http', url, headers: KEY_HEADER } } }),
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    where: RUN,
    text: gemini,
    next: `In Gemini CLI, type /mcp auth slipway. ${ASKS}`,
    withKey: (url) => withHeader(gemini(url)),
  },
  {
    id: 'other',
    name: 'Other (MCP)',
    where: 'Give the agent this address. It speaks MCP over streamable HTTP.',
    text: (url) => url,
    next: `Connect it there. ${ASKS}`,
    whereWithKey: 'Give the agent this address and this header.',
    withKey: (url) => `${url}\nAuthorization: Bearer $SLIPWAY_KEY`,
  },
]
