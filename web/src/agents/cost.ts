import { formatCount } from '../lib/numbers.ts'
import { queryClient } from '../lib/query-client.ts'
import { sessionQuery } from '../lib/session.ts'

const formats = (currency: string) => {
  const shown = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  return {
    cents: new Intl.NumberFormat('en', { ...shown, minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    small: new Intl.NumberFormat('en', { ...shown, maximumSignificantDigits: 2 }),
  }
}
const known = new Map<string, ReturnType<typeof formats>>()

/** What something cost, in the currency of the operator: $0.21, and $0.0042 for what is less than a cent. */
export function costOf(cost: number): string {
  const currency = queryClient.getQueryData(sessionQuery.queryKey)?.currency ?? 'USD'
  const { cents, small } = known.get(currency) ?? formats(currency)
  if (!known.has(currency)) known.set(currency, { cents, small })
  return cost > 0 && cost < 0.01 ? small.format(cost) : cents.format(cost)
}

/** What something used: its cost where prices are known, else its tokens. */
export const usageOf = (cost: number | null, tokens: number): string =>
  cost === null ? `${formatCount(tokens)} tokens` : costOf(cost)

/** 58 s, 1 min 47 s, 2 h 5 min. */
export function durationOf(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
