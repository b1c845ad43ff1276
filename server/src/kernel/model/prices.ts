import { ConfigError, type EnvironmentReader } from '../environment.ts'

/** What a million tokens cost, by model. */
export type Prices = Record<string, { input: number; output: number }>

/** `{"claude-sonnet-4-5": {"input": 3, "output": 15}}` */
export function readPrices(env: EnvironmentReader): Prices {
  const text = env.optional('MODEL_PRICES')
  if (text === undefined) return {}
  const wrong = () =>
    new ConfigError(
      'MODEL_PRICES must be JSON such as {"small": {"input": 0.5, "output": 2}}, for a million tokens each.',
    )
  let prices: unknown
  try {
    prices = JSON.parse(text)
  } catch {
    throw wrong()
  }
  const isPrice = (one: unknown) => typeof one === 'number' && one >= 0
  if (prices === null || typeof prices !== 'object' || Array.isArray(prices)) throw wrong()
  for (const one of Object.values(prices)) if (!isPrice(one?.input) || !isPrice(one?.output)) throw wrong()
  return prices as Prices
}

export function readCurrency(env: EnvironmentReader): string {
  const code = env.text('MODEL_CURRENCY', 'USD').toUpperCase()
  if (!Intl.supportedValuesOf('currency').includes(code))
    throw new ConfigError(`MODEL_CURRENCY="${code}" must be the three letters of a currency, such as USD or EUR.`)
  return code
}

/** Undefined for a model without a price. */
export function costOf(prices: Prices, model: string, usage: { inputTokens: number; outputTokens: number }) {
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined
  return price && (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1_000_000
}
