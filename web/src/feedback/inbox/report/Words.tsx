import { type ReactNode, useEffect, useRef, useState } from 'react'
import { copyText } from '../../../lib/copy-text.ts'
import { IconCopy, IconQuote } from '../../../ui/icons.ts'
import { Kbd } from '../../../ui/Kbd.tsx'
import type { InboxReport } from '../api.ts'
import { selectedWords, WORDS } from '../selected-words.ts'
import { partsOf, withoutTitle } from './quoted-parts.ts'
import css from './Words.module.css'

interface Props {
  report: InboxReport
  mayQuote: boolean
  onQuote(): void
  /** Stands between the title and the text. */
  beforeText: ReactNode
}

/** What a customer wrote. It is only ever shown as text: whatever it contains, nothing in it is run, loaded or linked. */
export function Words({ report, mayQuote, onQuote, beforeText }: Props) {
  const { title, markdown_content, quotes, candidates, end_user_email } = report
  const suggested = candidates.find((one) => one.is_suggested)?.text_excerpt
  const excerpts = quotes.length > 0 ? quotes.map((one) => one.text_excerpt) : suggested ? [suggested] : []
  const body = withoutTitle(markdown_content, title)
  return (
    <>
      {beforeText}
      <blockquote className={css.words} aria-label={`Words of ${end_user_email}`} {...{ [WORDS]: '' }}>
        <h2 className={css.title} dir="auto">
          {title}
        </h2>
        {body && (
          <p className={css.body} dir="auto">
            {partsOf(body, excerpts).map(({ text, isQuoted, at }) =>
              isQuoted ? (
                <mark key={at} className={quotes.length > 0 ? css.quoted : css.suggested}>
                  {text}
                </mark>
              ) : (
                text
              ),
            )}
          </p>
        )}
      </blockquote>
      {mayQuote && <SelectionMenu onQuote={onQuote} />}
    </>
  )
}

/** Above the selected words: what can be done with them. */
function SelectionMenu({ onQuote }: { onQuote(): void }) {
  const [box, setBox] = useState<{ left: number; top: number }>()
  const isHeld = useRef(false)
  useEffect(() => {
    const look = () => {
      if (isHeld.current) return
      if (!selectedWords()) return setBox(undefined)
      const { left, top, width } = getSelection()!.getRangeAt(0).getBoundingClientRect()
      setBox({ left: Math.max(110, left + width / 2), top })
    }
    const press = (event: PointerEvent) => {
      isHeld.current = (event.target as Element).closest?.(`[${WORDS}]`) !== null
    }
    const release = () => {
      isHeld.current = false
      // The browser changes the selection after the event.
      setTimeout(look)
    }
    document.addEventListener('selectionchange', look)
    document.addEventListener('pointerdown', press)
    document.addEventListener('pointerup', release)
    document.addEventListener('scroll', look, true)
    return () => {
      document.removeEventListener('selectionchange', look)
      document.removeEventListener('pointerdown', press)
      document.removeEventListener('pointerup', release)
      document.removeEventListener('scroll', look, true)
    }
  }, [])
  if (!box) return null
  return (
    <div
      className={css.menu}
      role="toolbar"
      aria-label="Selected words"
      style={box}
      // The selection stays as it is.
      onPointerDown={(event) => event.preventDefault()}
    >
      <button type="button" data-decision="quote" onClick={onQuote}>
        <IconQuote size={15} stroke={1.75} /> Quote to theme <Kbd keys="q" />
      </button>
      <button type="button" aria-label="Copy" onClick={() => void copyText(selectedWords() ?? '', 'Copied')}>
        <IconCopy size={15} stroke={1.75} />
      </button>
    </div>
  )
}
