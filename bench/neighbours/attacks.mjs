import { API, REPORTING_API, report } from '../seed.mjs'
import { markdown, randomSource } from '../words.mjs'

/**
 * What one caller can send again and again, on `connections` connections at once. To add an attack, add a row.
 * @typedef {object} Seeded
 * @property {string[]} documents the ids of the attacked project's blueprints, each with 1.9 million characters
 * @property {{ from: string, to: string }[]} versions two versions of each, all of whose lines differ
 * @typedef {object} Attack
 * @property {string} name
 * @property {'nobody' | 'reporting' | 'viewer' | 'editor'} caller
 * @property {number} connections
 * @property {(seeded: Seeded) => import('../scenarios.mjs').Request[]} requests sent in turn
 */

export const CHARACTERS = 1_900_000

/** Ordinary text with many lines: headings, paragraphs and lists. */
export const longText = (seed) => markdown(randomSource(seed), CHARACTERS)

const documentPath = (id) => `${API}/blueprints/${id}`
const post = (path, body) => ({ method: 'POST', path, body: JSON.stringify(body) })
const read = (path) => ({ method: 'GET', path })
const mcp = (method, params) => post('/mcp', { jsonrpc: '2.0', id: 1, method, params })

/** @type {Attack[]} */
export const attacks = [
  { name: 'health', caller: 'nobody', connections: 30, requests: () => [read('/livez')] },
  {
    name: 'sign-in page',
    caller: 'nobody',
    connections: 30,
    requests: () => [read('/')],
  },
  {
    name: 'reports of 400 bytes',
    caller: 'reporting',
    connections: 12,
    requests: () => [post(`${REPORTING_API}/feedback`, report(randomSource(3)))],
  },
  {
    name: 'version diff',
    caller: 'viewer',
    connections: 12,
    requests: ({ documents, versions }) =>
      documents.map((id, at) => read(`${documentPath(id)}/versions/${versions[at].from}/diff/${versions[at].to}`)),
  },
  {
    name: 'read a long document',
    caller: 'viewer',
    connections: 12,
    requests: ({ documents }) => documents.map((id) => read(documentPath(id))),
  },
  {
    name: 'read it without suggestions',
    caller: 'viewer',
    connections: 12,
    requests: ({ documents }) => documents.map((id) => read(`${documentPath(id)}?suggestions=accepted`)),
  },
  {
    name: 'MCP resources/read',
    caller: 'viewer',
    connections: 12,
    requests: ({ documents }) => documents.map((id) => mcp('resources/read', { uri: `slipway://blueprints/${id}` })),
  },
  {
    name: 'MCP read_document',
    caller: 'viewer',
    connections: 12,
    requests: ({ documents }) =>
      documents.map((id) => mcp('tools/call', { name: 'read_document', arguments: { kind: 'blueprint', id } })),
  },
  {
    name: 'apply a suggestion',
    caller: 'editor',
    connections: 12,
    requests: ({ documents }) =>
      documents.map((id) =>
        post(`${documentPath(id)}/apply_suggestion`, { old_text: 'Needle', new_text: 'Thread', replace_all: true }),
      ),
  },
  {
    name: 'rewrite a long document',
    caller: 'editor',
    connections: 12,
    requests: ({ documents }) =>
      documents.map((id, at) => ({
        method: 'PATCH',
        path: documentPath(id),
        body: JSON.stringify({ markdown_content: `Needle ${at}\n\n${longText(20 + at)}` }),
      })),
  },
]
