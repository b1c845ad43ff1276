import type { EnvironmentReader } from '../environment.ts'
import { type Prices, readCurrency, readPrices } from './prices.ts'

/** The available models and the limits of one run. */
export interface ModelSettings {
  /** Any server that implements the OpenAI protocol. */
  compatible: { baseUrl: string; apiKey: string | undefined; fetch?: typeof fetch } | undefined
  anthropic: { baseUrl: string | undefined; apiKey: string } | undefined
  /** The default model. */
  name: string | undefined
  limits: RunLimits
  prices: Prices
  /** The currency of all prices and budgets, as ISO 4217 names it. */
  currency: string
  /** The project has chosen to use none. */
  isOff?: boolean
}

export interface RunLimits {
  steps: number
  tokens: number
  wallMs: number
  /** How long a model may stay silent. */
  stallMs: number
  /** How often a request to a busy or failing model is retried. */
  retries: number
}

export const DEFAULT_LIMITS: RunLimits = {
  steps: 50,
  tokens: 1_000_000,
  wallMs: 600_000,
  stallMs: 90_000,
  retries: 2,
}

export const NO_MODEL: ModelSettings = {
  compatible: undefined,
  anthropic: undefined,
  name: undefined,
  limits: DEFAULT_LIMITS,
  prices: {},
  currency: 'USD',
}

const HOUR_SECONDS = 3_600

export function readModelSettings(env: EnvironmentReader): ModelSettings {
  const baseUrl = env.httpUrl('MODEL_BASE_URL')
  const anthropicKey = env.optional('ANTHROPIC_API_KEY')
  const seconds = (name: string, fallbackMs: number) => env.whole(name, fallbackMs / 1_000, 1, HOUR_SECONDS) * 1_000
  return {
    compatible: baseUrl === undefined ? undefined : { baseUrl, apiKey: env.optional('MODEL_API_KEY') },
    anthropic:
      anthropicKey === undefined ? undefined : { baseUrl: env.httpUrl('ANTHROPIC_BASE_URL'), apiKey: anthropicKey },
    name: env.optional('MODEL_NAME'),
    prices: readPrices(env),
    currency: readCurrency(env),
    limits: {
      steps: env.whole('AGENT_MAX_STEPS', DEFAULT_LIMITS.steps, 1, 1_000),
      tokens: env.whole('AGENT_MAX_TOKENS', DEFAULT_LIMITS.tokens, 1_000, 1_000_000_000),
      wallMs: seconds('AGENT_MAX_SECONDS', DEFAULT_LIMITS.wallMs),
      stallMs: seconds('AGENT_STALL_SECONDS', DEFAULT_LIMITS.stallMs),
      retries: env.whole('AGENT_RETRIES', DEFAULT_LIMITS.retries, 0, 10),
    },
  }
}
