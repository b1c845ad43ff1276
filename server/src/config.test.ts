import { describe, expect, test } from 'vitest'
import { slices } from './app.ts'
import { readConfig } from './config.ts'
import { wire } from './kernel/slice.ts'
import { conversationSettings } from './product/conversations/settings.ts'
import { integrationSettings } from './product/integrations/settings.ts'

const settingsOf = (env: Record<string, string>) => {
  const { settings } = readConfig(env)
  wire(slices, settings)
  return settings
}

describe('the settings of agents', () => {
  test('name no model by default and have limits', () => {
    const { model, of } = settingsOf({})
    expect(model).toMatchObject({ compatible: undefined, anthropic: undefined, name: undefined })
    expect(model.limits).toEqual({ steps: 50, tokens: 1_000_000, wallMs: 600_000, stallMs: 90_000, retries: 2 })
    expect(of(conversationSettings)).toEqual({ characters: 200_000, privateModelHosts: false })
    expect(of(integrationSettings)).toEqual({ stdioCommands: {}, privateHosts: false })
  })

  test('are read from the environment', () => {
    const { model, of } = settingsOf({
      MODEL_BASE_URL: 'http://127.0.0.1:11434/v1/',
      MODEL_NAME: 'small',
      ANTHROPIC_API_KEY: 'sk-ant',
      AGENT_MAX_STEPS: '3',
      AGENT_STALL_SECONDS: '5',
      MCP_STDIO_COMMANDS: '{"files": ["/bin/files", "--root"]}',
      MCP_PRIVATE_HOSTS: 'on',
    })
    expect(model.compatible).toEqual({ baseUrl: 'http://127.0.0.1:11434/v1', apiKey: undefined })
    expect(model.anthropic).toEqual({ baseUrl: undefined, apiKey: 'sk-ant' })
    expect(model.limits).toMatchObject({ steps: 3, stallMs: 5_000 })
    expect(of(integrationSettings)).toEqual({ stdioCommands: { files: ['/bin/files', '--root'] }, privateHosts: true })
  })

  test('take the key from the environment', async () => {
    expect(await settingsOf({ SECRET_KEY: 's'.repeat(32) }).secretKey()).toBe('s'.repeat(32))
  })

  test.each([
    [{ MODEL_BASE_URL: 'localhost:11434' }, /MODEL_BASE_URL="localhost:11434" must be a full http or https URL/],
    [{ AGENT_MAX_STEPS: '0' }, /AGENT_MAX_STEPS="0" must be a whole number from 1/],
    [{ AGENT_MAX_TOKENS: 'many' }, /AGENT_MAX_TOKENS/],
    [{ CONVERSATION_LIMIT: '10' }, /CONVERSATION_LIMIT/],
    [{ SECRET_KEY: 'short' }, /SECRET_KEY must have at least 32/],
    [{ MCP_STDIO_COMMANDS: 'files' }, /MCP_STDIO_COMMANDS must be JSON/],
    [{ MCP_STDIO_COMMANDS: '{"files": "rm -rf"}' }, /MCP_STDIO_COMMANDS must be JSON/],
    [{ MCP_STDIO_COMMANDS: '{"files": []}' }, /MCP_STDIO_COMMANDS must be JSON/],
  ])('refuse %j', (env, reason) => {
    expect(() => settingsOf(env)).toThrow(reason)
  })
})
