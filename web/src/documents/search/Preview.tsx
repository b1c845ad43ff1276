import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { newId } from '../../lib/ids.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconChevronDown, IconChevronUp, IconExternalLink } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { buildMarkdown, frames } from '../../ui/Markdown.tsx'
import { contentQuery, documentQuery } from '../api.ts'
import '../../editor/editor.css'
import { elementOfLine, type LineInBlock } from '../find-line.ts'
import type { Kind } from '../kind.ts'
import { piecesOf } from './pattern.ts'
import css from './SearchPage.module.css'

interface Props {
  kind: Kind
  id: string
  /** 0 if only the title matches. */
  line: number
  pattern: RegExp | undefined
  at: number
  total: number
  onStep(by: 1 | -1): void
  onOpen(): void
}

/** From here on, only the lines around the match are shown, as they are stored. */
const MAX_RENDERED = 150_000
const LINES_AROUND = 60

/** The document of the chosen line, with the line marked. */
export function Preview({ kind, id, line, pattern, at, total, onStep, onOpen }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { data: document } = useQuery(documentQuery(project.id, kind, id))
  const { data: content, error } = useQuery(contentQuery(project.id, kind, id))
  const lineCount = useMemo(() => content?.text.replace(/\n$/, '').split('\n').length ?? 0, [content])
  return (
    <section className={css.preview} aria-label="Preview">
      <div className={css.previewBar}>
        <b className={css.previewTitle}>{document?.title}</b>
        {document && <span className={css.version}>Version {document.version_number}</span>}
        {line > 0 && lineCount > 0 && (
          <span className={css.place}>
            line {line} of {lineCount}
          </span>
        )}
        <span className={css.grow} />
        <span className={css.place}>
          {at + 1} of {total}
        </span>
        <IconButton small label="Previous match" disabled={at === 0} onClick={() => onStep(-1)}>
          <IconChevronUp size={16} />
        </IconButton>
        <IconButton small label="Next match" disabled={at === total - 1} onClick={() => onStep(1)}>
          <IconChevronDown size={16} />
        </IconButton>
        <Button icon={<IconExternalLink size={15} stroke={1.75} />} onClick={onOpen}>
          Open <Kbd keys="enter" />
        </Button>
      </div>
      {error && !content ? (
        <p className={css.trouble} data-fault>
          The document could not be loaded. {error.message}
        </p>
      ) : (
        content &&
        (content.text.length > MAX_RENDERED ? (
          <Source text={content.text} line={line} />
        ) : (
          <Page title={document?.title ?? ''} text={content.text} line={line} pattern={pattern} />
        ))
      )}
    </section>
  )
}

interface PageProps {
  title: string
  text: string
  line: number
  pattern: RegExp | undefined
}

function Page({ title, text, line, pattern }: PageProps) {
  const place = useRef<HTMLDivElement>(null)
  // A new text is a new element: React must not look for words that were marked in the old one.
  const drawn = useMemo(() => ({ key: newId(), blocks: buildMarkdown(text, { isPlaced: true }) }), [text])
  useEffect(() => {
    const page = place.current
    if (!page) return
    const blocks = [...page.querySelectorAll<HTMLElement>('[data-from]')]
    const found = line > 0 ? elementOfLine(blocks, lineAmong(blocks, text, line)) : undefined
    if (!found) {
      page.scrollTo({ top: 0 })
      return
    }
    const unmark = pattern ? markWords(found, pattern) : () => {}
    found.setAttribute('data-found', '')
    found.scrollIntoView({ block: 'center' })
    return () => {
      found.removeAttribute('data-found')
      unmark()
    }
  }, [text, line, pattern])
  return (
    <div ref={place} className={css.paper}>
      <h1 className={css.heading}>{title}</h1>
      <div key={drawn.key} className={cx('document still', frames)}>
        {drawn.blocks}
      </div>
    </div>
  )
}

/** The last block that begins before the end of the line. */
function lineAmong(blocks: HTMLElement[], text: string, line: number): LineInBlock {
  const lines = text.split('\n')
  const end = lines.slice(0, line).join('\n').length
  const block = blocks.findLastIndex((one) => Number(one.dataset.from) <= end)
  return { block: Math.max(0, block), text: lines[line - 1] ?? '' }
}

/** Marks what matches in an element that nothing else draws. Returns what takes the marks away. */
function markWords(element: HTMLElement, pattern: RegExp): () => void {
  const texts: Text[] = []
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  const undo = texts.flatMap((text) => {
    const pieces = piecesOf(text.data, pattern)
    if (!pieces.some(({ isMatch }) => isMatch)) return []
    const shown = pieces.map(({ text: piece, isMatch }) => {
      if (!isMatch) return document.createTextNode(piece)
      const mark = document.createElement('mark')
      mark.textContent = piece
      return mark
    })
    text.replaceWith(...shown)
    return [
      () => {
        shown[0]!.replaceWith(text)
        for (const one of shown.slice(1)) one.remove()
      },
    ]
  })
  return () => {
    for (const run of undo) run()
  }
}

function Source({ text, line }: { text: string; line: number }) {
  const place = useRef<HTMLPreElement>(null)
  const start = Math.max(0, line - 1 - LINES_AROUND)
  const lines = useMemo(() => text.split('\n').slice(start, line + LINES_AROUND), [text, line, start])
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another line is chosen
  useEffect(() => void place.current?.querySelector('[data-found]')?.scrollIntoView({ block: 'center' }), [text, line])
  return (
    <pre ref={place} className={css.source}>
      {lines.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: it is the number of the line
        <div key={start + at} data-found={start + at + 1 === line || undefined}>
          {one || ' '}
        </div>
      ))}
    </pre>
  )
}
