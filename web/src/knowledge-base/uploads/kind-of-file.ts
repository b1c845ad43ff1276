import type { Kind } from '../artifact.ts'

/** The kind of a file that the server has not seen yet, for its sign. */
export function kindOfFile({ type, name }: { type: string; name: string }): Kind {
  if (type === 'application/pdf') return 'pdf'
  const [group] = type.split('/')
  if (group === 'image' || group === 'audio' || group === 'video') return group
  if (/\.(csv|tsv|xlsx?|ods)$/i.test(name)) return 'spreadsheet'
  if (/\.(zip|tar|gz|tgz|7z|rar)$/i.test(name)) return 'archive'
  return group === 'text' ? 'text' : 'other'
}
