import { listNames } from '../lib/list-names.ts'
import { nameActor } from '../people/actor-name.ts'
import type { HistoryEntry } from './entry.ts'

/** Who wrote it and how: "Key shop-ci of Ada Lovelace", "Build agent for Ada Lovelace", "Ada, Grace and 2 more". */
export function authorsOf(version: HistoryEntry, agents: ReadonlySet<string>, name = listNames): string {
  const { actor, authors, restored_version_number, version_number } = version
  const who = name([firstAuthor(version, agents), ...authors.slice(1).map((other) => authorName(other, agents))])
  if (restored_version_number !== null) return `${who} restored version ${restored_version_number}`
  return actor.type === 'system' && version_number === 1 ? `${who} created it` : who
}

const authorName = (actor: HistoryEntry['actor'], agents: ReadonlySet<string>): string => {
  const { name, behalf } = nameActor(actor, agents)
  return behalf ? `${name} for ${behalf}` : name
}

function firstAuthor({ actor, origin_type }: HistoryEntry, agents: ReadonlySet<string>): string {
  if (actor.type !== 'key') return authorName(actor, agents)
  const { name, behalf } = nameActor(actor, agents)
  return origin_type === 'mcp'
    ? `${name} over MCP${behalf ? `, for ${behalf}` : ''}`
    : `Key ${name}${behalf ? ` of ${behalf}` : ''}`
}
