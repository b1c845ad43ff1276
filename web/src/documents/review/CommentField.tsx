import { useRouteContext, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { dropDraft, findDraft, keepDraft } from '../../lib/drafts.ts'
import { takingFiles } from '../../lib/uploads/files.ts'
import { markdownOf, storeForText } from '../../lib/uploads/files-in-texts.ts'
import { KindSign } from '../../people/KindSign.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { findLinks, type LinkTarget } from '../editor/links/find-links.ts'
import menu from '../editor/menus.module.css'
import css from './CommentCard.module.css'

interface FieldProps {
  label: string
  placeholder: string
  /** What the text is about. It stays on this device under that name until it is sent. */
  draft: string
  /** What the field starts with if there is no draft. */
  initial?: string
  autoFocus?: boolean
  onSend(message: string): Promise<boolean>
  onCancel?(): void
}

const MENTION = /(?:^|[\s(])@([^\s@[\]][^\n@[\]]{0,40})?$/
const AFTER_MS = 100

/**
 * Enter sends, Shift and Enter starts a new line. `@` names a person or anything else, and files are dropped or pasted.
 * What is not sent stays a draft, also after Esc.
 */
export function CommentField({ label, placeholder, draft, initial = '', autoFocus, onSend, onCancel }: FieldProps) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const [text, setText] = useState(() => findDraft(draft)?.text ?? initial)
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const mention = useMention(project.id)
  const change = (value: string) => {
    setText(value)
    if (value) keepDraft(draft, value)
    else dropDraft(draft)
  }
  const send = async () => {
    if (!text.trim() || isBusy) return
    setBusy(true)
    const done = await onSend(text.trim())
    setBusy(false)
    if (done) change('')
  }
  const put = (from: number, to: number, words: string) => {
    field.current?.setRangeText(words, from, to, 'end')
    change(field.current?.value ?? '')
    field.current?.focus()
  }
  const pick = (target: LinkTarget) => {
    const end = field.current?.selectionStart ?? text.length
    put(text.lastIndexOf('@', end - 1), end, `[${target.text.replaceAll(/[[\]]/g, '')}](${target.href}) `)
    mention.look(undefined)
  }
  const attach = async (files: File[]) => {
    setBusy(true)
    await storeForText(project.id, files, (stored) => {
      const end = field.current?.value.length ?? 0
      put(end, end, (end > 0 ? ' ' : '') + markdownOf(stored))
    })
    setBusy(false)
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || mention.press(event, pick)) return
    if (event.key === 'Escape') onCancel?.()
    else if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (event.key === 'Enter') void send()
  }
  return (
    <div className={css.field}>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the field opens on request
        autoFocus={autoFocus ?? false}
        ref={field}
        aria-label={label}
        placeholder={placeholder}
        rows={1}
        value={text}
        readOnly={isBusy}
        onChange={({ target }) => {
          change(target.value)
          mention.look(MENTION.exec(target.value.slice(0, target.selectionStart)) ?? undefined)
        }}
        {...takingFiles((files) => void attach(files))}
        onBlur={() => mention.look(undefined)}
        onKeyDown={press}
      />
      <Kbd keys="enter" />
      {mention.items.length > 0 && (
        <div className={css.mentions} role="listbox" aria-label="Mention">
          {mention.items.map((item, index) => (
            <button
              key={item.id}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={index === mention.active}
              className={cx(menu.item, index === mention.active && menu.active)}
              onMouseDown={(event) => {
                event.preventDefault()
                pick(item)
              }}
            >
              <span className={menu.sign}>
                <KindSign {...item.found} />
              </span>
              <span className={menu.name}>{item.text}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/** What an `@` at the cursor may mean. People come first. */
function useMention(projectId: string) {
  const router = useRouter()
  const find = useMemo(() => findLinks(projectId, router), [projectId, router])
  const [words, setWords] = useState<string>()
  const [items, setItems] = useState<LinkTarget[]>([])
  const [active, setActive] = useState(0)
  useEffect(() => {
    if (!words) {
      setItems([])
      return
    }
    const request = new AbortController()
    const timer = setTimeout(async () => {
      const found = await find(words, request.signal).catch(() => [])
      if (request.signal.aborted) return
      const isPerson = ({ kind }: LinkTarget) => kind === 'Person'
      setItems([...found.filter(isPerson), ...found.filter((one) => !isPerson(one))].slice(0, 6))
      setActive(0)
    }, AFTER_MS)
    return () => {
      clearTimeout(timer)
      request.abort()
    }
  }, [words, find])
  return {
    items,
    active,
    look: (found: RegExpExecArray | undefined) => setWords(found?.[1]),
    /** Returns true if the key was for the list. */
    press(event: KeyboardEvent, pick: (item: LinkTarget) => void): boolean {
      if (items.length === 0) return false
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step !== 0) setActive((active + step + items.length) % items.length)
      else if (event.key === 'Enter' || event.key === 'Tab') pick(items[active]!)
      else if (event.key === 'Escape') setWords(undefined)
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}
