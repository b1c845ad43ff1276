import { useEffect, useState } from 'react'
import type { Editor } from '../../editor/create-editor.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { countWords } from './count-words.ts'
import css from './WordCount.module.css'

const AFTER_MS = 500

const read = ({ view }: Editor) => {
  const { doc, selection } = view.state
  const { from, to, empty } = selection
  const whole = countWords(doc.textBetween(0, doc.content.size, '\n', ' '))
  return { whole, selected: empty ? undefined : countWords(doc.textBetween(from, to, '\n', ' ')) }
}

/** How many words the text has, and what is selected of it. Counted when the browser has time. */
export function WordCount({ editor }: { editor: Editor }) {
  const [count, setCount] = useState<ReturnType<typeof read>>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(() => whenIdle(() => !isOver && setCount(read(editor)), AFTER_MS), AFTER_MS)
    }
    later()
    const stop = editor.revision.subscribe(later)
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [editor])
  if (!count || count.whole === 0) return null
  const words = `${count.whole.toLocaleString('en')} ${count.whole === 1 ? 'word' : 'words'}`
  return (
    <p className={css.count}>
      {count.selected === undefined ? words : `${count.selected.toLocaleString('en')} of ${words}`}
    </p>
  )
}
