import { type Description, keys } from '../external-api/openapi.ts'

export const reportingDescription: Description = {
  title: 'Slipway reporting API',
  description:
    'What an application sends when its users say something, with a reporting key. See [its guide](/docs/api/reporting).',
  tags: [{ name: 'Reports', description: 'What users say, and the files that belong to it.' }],
  credentials: keys,
  examples: true,
}
