import type { ArtifactRow } from '@slipway/sdk'

export type Kind = ArtifactRow['kind']

/** What browsers call a file comes first. They send `application/octet-stream` for whatever they do not know. */
const KINDS: [kind: Kind, type: RegExp, name: RegExp][] = [
  ['pdf', /^application\/pdf$/, /\.pdf$/],
  ['image', /^image\//, /\.(png|jpe?g|gif|webp|avif|bmp|svg)$/],
  ['audio', /^audio\//, /\.(mp3|m4a|wav|ogg|oga|flac|aac)$/],
  ['video', /^video\//, /\.(mp4|m4v|webm|mov|mkv)$/],
  ['spreadsheet', /^text\/(csv|tab-separated-values)$|spreadsheet|ms-excel/, /\.(csv|tsv|xlsx?|ods)$/],
  ['archive', /^application\/(zip|gzip|x-tar|x-7z)/, /\.(zip|tar|gz|tgz|7z|rar)$/],
  ['text', /^text\/|^application\/(json|xml|javascript|yaml)/, /\.(txt|md|log|json|jsonl|xml|ya?ml|har|html?)$/],
]

/** The kind of a file that is not in the knowledge base. The server knows those that are. */
export function kindOfFile({ type, name }: { type: string; name: string }): Kind {
  const ending = name.toLowerCase()
  return KINDS.find(([, ofType, ofName]) => ofType.test(type) || ofName.test(ending))?.[0] ?? 'other'
}

/** A spreadsheet that is plain text. */
export const isTable = ({ kind, name }: { kind: Kind; name: string }) =>
  kind === 'spreadsheet' && /\.[ct]sv$/i.test(name)
