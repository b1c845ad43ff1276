import { ConfigError, type EnvironmentReader } from './environment.ts'
import { DEFAULT_LIMITS, type ModelSettings } from './model/settings.ts'
import { secretKeyOf } from './secret-key.ts'
import { DEFAULT_SETTINGS, type Settings } from './settings.ts'

const HOUR_SECONDS = 3_600

export function readSettings(read: EnvironmentReader, dataDir: string): Settings {
  const secretKey = read.optional('SECRET_KEY')
  if (secretKey !== undefined && secretKey.length < 32)
    throw new ConfigError('SECRET_KEY must have at least 32 random characters.')
  return {
    model: readModel(read),
    conversationLimit: read.whole(
      'CONVERSATION_LIMIT',
      DEFAULT_SETTINGS.conversationLimit,
      1_000,
      Number.MAX_SAFE_INTEGER,
    ),
    integrations: {
      stdioCommands: readCommands(read),
      privateHosts: read.text('MCP_PRIVATE_HOSTS', 'off') === 'on',
    },
    automationRuns: read.whole('AUTOMATION_RUNS', DEFAULT_SETTINGS.automationRuns, 1, 1_000),
    reportUploads: {
      bytesPerHour: read.whole(
        'REPORTING_UPLOAD_BYTES_PER_HOUR',
        DEFAULT_SETTINGS.reportUploads.bytesPerHour,
        0,
        Number.MAX_SAFE_INTEGER,
      ),
      storedBytes: read.whole(
        'REPORTING_STORAGE_BYTES',
        DEFAULT_SETTINGS.reportUploads.storedBytes,
        0,
        Number.MAX_SAFE_INTEGER,
      ),
    },
    secretKey: secretKeyOf({ secretKey, dataDir }),
  }
}

function readModel(read: EnvironmentReader): ModelSettings {
  const baseUrl = read.httpUrl('MODEL_BASE_URL')
  const anthropicKey = read.optional('ANTHROPIC_API_KEY')
  const seconds = (name: string, fallbackMs: number) => read.whole(name, fallbackMs / 1_000, 1, HOUR_SECONDS) * 1_000
  return {
    compatible: baseUrl === undefined ? undefined : { baseUrl, apiKey: read.optional('MODEL_API_KEY') },
    anthropic:
      anthropicKey === undefined ? undefined : { baseUrl: read.httpUrl('ANTHROPIC_BASE_URL'), apiKey: anthropicKey },
    name: read.optional('MODEL_NAME'),
    limits: {
      steps: read.whole('AGENT_MAX_STEPS', DEFAULT_LIMITS.steps, 1, 1_000),
      tokens: read.whole('AGENT_MAX_TOKENS', DEFAULT_LIMITS.tokens, 1_000, 1_000_000_000),
      wallMs: seconds('AGENT_MAX_SECONDS', DEFAULT_LIMITS.wallMs),
      stallMs: seconds('AGENT_STALL_SECONDS', DEFAULT_LIMITS.stallMs),
      retries: read.whole('AGENT_RETRIES', DEFAULT_LIMITS.retries, 0, 10),
    },
  }
}

/** `{"files": ["/usr/local/bin/mcp-files", "--root", "/srv"]}` */
function readCommands(read: EnvironmentReader): Record<string, string[]> {
  const text = read.optional('MCP_STDIO_COMMANDS')
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
