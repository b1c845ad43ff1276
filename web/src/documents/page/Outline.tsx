import { useVirtualizer } from '@tanstack/react-virtual'
import { startTransition, useEffect, useMemo, useRef, useState } from 'react'
import type { Editor } from '../../editor/create-editor.ts'
import css from './Outline.module.css'

interface Entry {
  /** Which heading of the document it is. */
  index: number
  level: number
  text: string
}

interface Props {
  editor: Editor
  scroller: HTMLElement | null
  title: string
}

const NONE: Entry[] = []
const LONG_BLOCKS = 300
const AFTER_MS = 300
const TOP_PX = 120
const ROW_PX = 25

/** The headings of the page, with the one that is being read marked. */
export function Outline({ editor, scroller, title }: Props) {
  const [entries, setEntries] = useState<Entry[]>(() => (isLong(editor) ? NONE : read(editor)))
  const [current, setCurrent] = useState(-1)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let doc = editor.view.state.doc
    const stop = editor.revision.subscribe(() => {
      if (editor.view.state.doc === doc) return
      doc = editor.view.state.doc
      clearTimeout(timer)
      timer = setTimeout(() => {
        const next = read(editor)
        setEntries((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
      }, AFTER_MS)
    })
    // A long text is shown first.
    if (isLong(editor)) startTransition(() => setEntries(read(editor)))
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [editor])

  useEffect(() => {
    if (!scroller) return
    let frame = 0
    const look = () => {
      frame = 0
      setCurrent(lastAbove(headingsOf(editor), TOP_PX + 40))
    }
    const onScroll = () => {
      frame ||= requestAnimationFrame(look)
    }
    // At the top, nothing is above. To ask would lay out a long text before it is drawn.
    if (scroller.scrollTop > 0) look()
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      scroller.removeEventListener('scroll', onScroll)
    }
  }, [scroller, editor])

  const list = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => {
    const least = Math.min(...entries.map(({ level }) => level))
    return [
      { index: -1, indent: 0, text: title },
      ...entries.map(({ index, level, text }) => ({ index, indent: level - least, text })),
    ]
  }, [entries, title])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  })
  const currentRow = rows.findLastIndex(({ index }) => index <= current)
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows what is being read, and stays where it is scrolled
  useEffect(() => {
    if (list.current && list.current.scrollHeight > list.current.clientHeight) virtual.scrollToIndex(currentRow)
  }, [currentRow])

  if (entries.length === 0) return null
  const goTo = (index: number) => {
    const target = index < 0 ? undefined : headingsOf(editor)[index]
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'
    if (target && isLong(editor)) bringUp(target)
    else if (target) target.scrollIntoView({ block: 'start', behavior })
    else scroller?.scrollTo({ top: 0, behavior })
  }
  return (
    <nav aria-label="On this page">
      <h2 className={css.head}>On this page</h2>
      <div ref={list} className={css.list}>
        <div className={css.rows} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index: at, start }) => {
            const { index, indent, text } = rows[at]!
            return (
              <button
                key={index}
                type="button"
                className={css.entry}
                data-current={at === currentRow || undefined}
                style={{ transform: `translateY(${start}px)`, paddingLeft: 13 + indent * 10 }}
                title={text}
                onClick={() => goTo(index)}
              >
                {text}
              </button>
            )
          })}
        </div>
      </div>
    </nav>
  )
}

const LAID_OUT_AFTER_FRAMES = 4

/** What a long text has on the way gets its height only once it is near, so the heading moves after the first jump. */
function bringUp(heading: HTMLElement, frames = LAID_OUT_AFTER_FRAMES): void {
  heading.scrollIntoView({ block: 'start' })
  if (frames > 0) requestAnimationFrame(() => bringUp(heading, frames - 1))
}

const headingsOf = ({ view }: Editor) => [...view.dom.querySelectorAll<HTMLElement>(':scope > :is(h1,h2,h3,h4,h5,h6)')]

const isLong = ({ view }: Editor) => view.state.doc.childCount > LONG_BLOCKS

/** Asks few of them where they are: a long document has hundreds of headings, and each answer takes time. */
function lastAbove(headings: HTMLElement[], line: number): number {
  let [from, to] = [0, headings.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (headings[middle]!.getBoundingClientRect().top < line) from = middle + 1
    else to = middle
  }
  return from - 1
}

function read({ view }: Editor): Entry[] {
  const entries: Entry[] = []
  let index = 0
  view.state.doc.forEach((node) => {
    if (node.type.name !== 'heading') return
    if (node.attrs.level <= 3 && node.textContent.trim())
      entries.push({ index, level: node.attrs.level, text: node.textContent })
    index++
  })
  return entries
}
