import { type FilledDemo, PROJECT } from './fill.ts'

/** Tells the operator what to open and how to sign in. The secrets are never shown again. */
export function describeDemo(baseUrl: string, { people, password, externalKey }: FilledDemo): string {
  const width = Math.max(...people.map((one) => one.email.length))
  const lines = people.map(({ fullName, email, role, isNew }) => {
    const known = isNew ? '' : ', with the password that they have'
    return `  ${email.padEnd(width)}  ${fullName}, ${role}${known}`
  })
  return `The project "${PROJECT}" is filled. Open ${baseUrl} and sign in as one of:
${lines.join('\n')}

These are shown only this once:
  password       ${password}   for everyone above who is new
  external key   ${externalKey}

Try it:
  curl -H "X-API-Key: ${externalKey}" ${baseUrl}/v2/external-api/work_orders/by_number/38
`
}
