/** How the words of a file are found in its bytes. */
export type Format = 'pdf' | 'office' | 'text'

/** Reading a larger file would take too much of the machine. */
export const MAX_BYTES = 50 * 1024 * 1024

const FORMATS: Record<Format, { name: string; contentType: string }> = {
  pdf: { name: String.raw`\.pdf$`, contentType: '^application/pdf$' },
  office: {
    name: String.raw`\.(docx|xlsx|pptx|odt|ods|odp)$`,
    contentType: String.raw`^application/vnd\.(openxmlformats-officedocument|oasis\.opendocument)\.`,
  },
  text: {
    name: String.raw`\.(txt|md|markdown|csv|tsv|log|json|jsonl|xml|ya?ml|toml|ini|html?|sql)$`,
    contentType: '^text/|^application/(json|xml|yaml)$',
  },
}

/** Undefined if nothing can be read from it. */
export function formatOf(name: string, contentType: string): Format | undefined {
  const formats = Object.entries(FORMATS) as [Format, (typeof FORMATS)[Format]][]
  const byName = formats.find(([, one]) => new RegExp(one.name, 'i').test(name))
  return (byName ?? formats.find(([, one]) => new RegExp(one.contentType).test(contentType)))?.[0]
}

const anyOf = (what: 'name' | 'contentType') =>
  Object.values(FORMATS)
    .map((one) => one[what])
    .join('|')

/** The same question of a row, as SQL. */
export const IS_READABLE = `(size_bytes between 1 and ${MAX_BYTES}
  and (name_key ~ '${anyOf('name')}' or content_type ~ '${anyOf('contentType')}'))`
