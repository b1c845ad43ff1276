import { ConfigError, type EnvironmentReader } from '../../kernel/environment.ts'
import type { SliceSettings } from '../../kernel/settings.ts'

export const integrationSettings: SliceSettings<{
  /** Programs that members may connect to, by name. */
  stdioCommands: Record<string, string[]>
  /** Whether members may connect to servers in the operator's own network. */
  privateHosts: boolean
}> = {
  read: (env) => ({
    stdioCommands: readCommands(env),
    privateHosts: env.text('MCP_PRIVATE_HOSTS', 'off') === 'on',
  }),
}

/** `{"files": ["/usr/local/bin/mcp-files", "--root", "/srv"]}` */
function readCommands(env: EnvironmentReader): Record<string, string[]> {
  const text = env.optional('MCP_STDIO_COMMANDS')
  if (text === undefined) return {}
  const wrong = () =>
    new ConfigError(
      `MCP_STDIO_COMMANDS must be JSON such as {"files": ["/usr/local/bin/mcp-files", "--root", "/srv"]}.`,
    )
  let commands: unknown
  try {
    commands = JSON.parse(text)
  } catch {
    throw wrong()
  }
  const isCommand = (one: unknown) =>
    Array.isArray(one) && one.length > 0 && one.every((part) => typeof part === 'string' && part !== '')
  if (commands === null || typeof commands !== 'object' || !Object.values(commands).every(isCommand)) throw wrong()
  return commands as Record<string, string[]>
}
