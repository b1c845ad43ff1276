export const SNIPPETS = ['script', 'fetch', 'curl', 'server'] as const
export type Snippet = (typeof SNIPPETS)[number]

export const SNIPPET_NAMES: Record<Snippet, string> = {
  script: 'Script tag',
  fetch: 'fetch',
  curl: 'curl',
  server: 'Server SDK',
}

export const LANGUAGES: Record<Snippet, string> = { script: 'html', fetch: 'js', curl: 'bash', server: 'js' }

interface Place {
  origin: string
  projectId: string
  key: string
}

/** How an application reports, with the key filled in. */
export function snippetOf(snippet: Snippet, { origin, projectId, key }: Place): string {
  const url = `${origin}/v2/reporting-api/feedback`
  if (snippet === 'script')
    return `<script src="${origin}/widget.js?project=${projectId}"
        data-key="${key}"
        data-email="{{ customer.email }}" defer></script>`
  if (snippet === 'fetch')
    return `await fetch("${url}", {
  method: "POST",
  headers: { "X-API-Key": "${key}", "Content-Type": "application/json" },
  body: JSON.stringify({ end_user_email: customer.email, content: text }),
})`
  if (snippet === 'curl')
    return `curl ${url} \\
  -H "X-API-Key: ${key}" -H "Content-Type: application/json" \\
  -d '{"end_user_email": "customer@example.org", "content": "The total is off by a cent."}'`
  return `// Keep the key in the environment: SLIPWAY_REPORTING_KEY=${key}
import { createReporter } from "slipway"

const slipway = createReporter({
  baseUrl: "${origin}",
  reportingKey: process.env.SLIPWAY_REPORTING_KEY,
})
const { feedback_number } = await slipway.report(
  { end_user_email: ticket.from, content: ticket.text },
  { idempotencyKey: ticket.id },
)`
}
