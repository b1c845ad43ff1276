import { useSuspenseQuery } from '@tanstack/react-query'
import { CodeText } from '../../lib/CodeText.tsx'
import { sizeOf } from '../../lib/uploads/files.ts'
import { Markdown } from '../../ui/Markdown.tsx'
import type { Row } from '../artifact.ts'
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
export default function TextPreview({ projectId, row }: { projectId: string; row: Row }) {
  const text = useSuspenseQuery(fileTextQuery(projectId, row)).data
  if (text === null) return <NoPreview projectId={projectId} row={row} />
  const ending = row.name.split('.').at(-1)!.toLowerCase()
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
      {(row.size_bytes ?? 0) > MOST_BYTES && (
        <p className={css.cut}>
          The first {sizeOf(MOST_BYTES)} of {sizeOf(row.size_bytes ?? 0)}. Download the file to see the rest.
        </p>
      )}
    </>
  )
}
