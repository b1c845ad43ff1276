import { useSuspenseQuery } from '@tanstack/react-query'
import { CodeText } from '../../lib/CodeText.tsx'
import { sizeOf } from '../../lib/uploads/files.ts'
import { Markdown } from '../../ui/Markdown.tsx'
import type { ShownFile } from './file.ts'
import { NoPreview } from './NoPreview.tsx'
import css from './Preview.module.css'
import { fileTextQuery, MOST_BYTES } from './read-text.ts'

/** Names of languages that are not the ending of their files. */
const LANGUAGES: Record<string, string> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  kt: 'kotlin',
  cs: 'csharp',
  sh: 'bash',
  yml: 'yaml',
  html: 'xml',
  htm: 'xml',
  h: 'c',
  toml: 'ini',
  proto: 'protobuf',
  patch: 'diff',
  jsonl: 'json',
}

/** Text and code, and markdown as it is read. */
export default function TextPreview({ file }: { file: ShownFile }) {
  const text = useSuspenseQuery(fileTextQuery(file)).data
  if (text === null) return <NoPreview file={file} />
  const ending = file.name.split('.').at(-1)!.toLowerCase()
  return (
    <>
      {ending === 'md' || ending === 'markdown' ? (
        <div className={css.page}>
          <Markdown text={text} />
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it.
        <pre className={css.text} tabIndex={0}>
          <CodeText text={text} language={LANGUAGES[ending] ?? ending} />
        </pre>
      )}
      {file.sizeBytes > MOST_BYTES && (
        <p className={css.cut}>
          The first {sizeOf(MOST_BYTES)} of {sizeOf(file.sizeBytes)}. Download the file to see the rest.
        </p>
      )}
    </>
  )
}
