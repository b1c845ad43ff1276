import type { BlockTree } from '@slipway/server/markdown/reading'
import { Fragment, useMemo } from 'react'
import { cx } from '../lib/cx.ts'
import { buildMarkdown, frames } from '../ui/Markdown.tsx'

interface Props {
  /** The markdown of each block. */
  sources: string[]
  /** The document that they are from. */
  within: BlockTree
}

/** Blocks of a document as they look. */
export function Blocks({ sources, within }: Props) {
  const built = useMemo(() => sources.map((source) => buildMarkdown(source, { within })), [sources, within])
  return (
    <div className={cx('document still', frames)}>
      {built.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is never reordered
        <Fragment key={at}>{block}</Fragment>
      ))}
    </div>
  )
}
