import { createScopedKeydownHandler } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react'
import { putInto } from '../lib/put-into.ts'
import { IconBold, IconCode, IconHeading, IconItalic, IconLink, IconList, IconListCheck, IconQuote } from './icons.ts'
import { Markdown } from './Markdown.tsx'
import css from './MarkdownField.module.css'
import { Segments } from './Segments.tsx'
import { useFilesInText } from './use-files-in-text.ts'

interface Props {
  value: string
  onChange(value: string): void
  label: string
  placeholder?: string
  autoFocus?: boolean
  onSubmit?(): void
  onCancel?(): void
  minRows?: number
  footer?: ReactNode
}

const LINE_TOOLS = { heading: '## ', list: '- ', tasks: '- [ ] ', quote: '> ' }
const LINE_EM = 1.8
const VIEWS = [
  { value: 'markdown', label: 'Markdown' },
  { value: 'preview', label: 'Preview' },
] as const
const AROUND = { bold: '**', italic: '_', code: '`' }

/** A text field for markdown with the usual buttons. Ctrl or ⌘ with Enter submits. */
export function MarkdownField(props: Props) {
  const { value, onChange, label, placeholder, autoFocus, onSubmit, onCancel, minRows = 6, footer } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const [isPreview, setIsPreview] = useState(false)
  const { storing, taking } = useFilesInText(field, onChange)
  const endEdit = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      onSubmit?.()
    } else if (event.key === 'Escape' && onCancel) {
      event.stopPropagation()
      onCancel()
    } else return false
    return true
  }
  return (
    <div className={css.field}>
      {isPreview && (
        <div className={css.preview} style={{ minHeight: `${minRows * LINE_EM}em` }}>
          {value.trim() ? <Markdown text={value} /> : <p className={css.empty}>Nothing to preview.</p>}
        </div>
      )}
      <textarea
        ref={field}
        // It stays in the page, because the browser keeps its selection and its undo history.
        hidden={isPreview}
        aria-label={label}
        placeholder={placeholder}
        // biome-ignore lint/a11y/noAutofocus: the field opens on request.
        autoFocus={autoFocus}
        rows={Math.max(minRows, Math.min(30, value.split('\n').length + 1))}
        className={css.text}
        value={value}
        {...taking}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (endEdit(event)) return
          if (event.key === 'Enter' && !event.shiftKey) continueList(event, onChange)
          else if ((event.metaKey || event.ctrlKey) && event.key === 'b') {
            event.preventDefault()
            wrap(event.currentTarget, '**', onChange)
          }
        }}
      />
      {/* Shown above the text, but reached after it: Tab goes from the title to the text. */}
      <div className={css.tools}>
        {!isPreview && <Tools field={field} onChange={onChange} />}
        <Segments
          label="View"
          options={VIEWS}
          value={isPreview ? 'preview' : 'markdown'}
          onChange={(view) => setIsPreview(view === 'preview')}
          onKeyDown={endEdit}
          className={css.switch}
        />
      </div>
      {storing && (
        <p className={css.storing} role="status">
          Storing “{storing}”…
        </p>
      )}
      {footer}
    </div>
  )
}

const alongTools = createScopedKeydownHandler({
  parentSelector: '[role="toolbar"]',
  siblingSelector: 'button',
  orientation: 'horizontal',
  dir: 'ltr',
})

function Tools({ field, onChange }: { field: RefObject<HTMLTextAreaElement | null>; onChange(value: string): void }) {
  const size = { size: 16, stroke: 1.75 }
  const line = (name: keyof typeof LINE_TOOLS) => () =>
    field.current && startLine(field.current, LINE_TOOLS[name], onChange)
  const around = (name: keyof typeof AROUND) => () => field.current && wrap(field.current, AROUND[name], onChange)
  const link = () => field.current && wrap(field.current, '[', onChange, '](https://)')
  // Tab stops at the first one only, and the arrows lead to the others.
  const tool = (label: string, icon: ReactNode, run: () => unknown) => (
    <button
      type="button"
      className={css.tool}
      aria-label={label}
      title={label}
      tabIndex={label === 'Heading' ? 0 : -1}
      onClick={run}
      onKeyDown={alongTools}
    >
      {icon}
    </button>
  )
  return (
    <div className={css.buttons} role="toolbar" aria-label="Format">
      {tool('Heading', <IconHeading {...size} />, line('heading'))}
      {tool('Bold', <IconBold {...size} />, around('bold'))}
      {tool('Italic', <IconItalic {...size} />, around('italic'))}
      {tool('Code', <IconCode {...size} />, around('code'))}
      {tool('Link', <IconLink {...size} />, link)}
      <span className={css.rule} />
      {tool('List', <IconList {...size} />, line('list'))}
      {tool('Tasks', <IconListCheck {...size} />, line('tasks'))}
      {tool('Quote', <IconQuote {...size} />, line('quote'))}
    </div>
  )
}

function replace(
  field: HTMLTextAreaElement,
  from: number,
  to: number,
  text: string,
  onChange: (value: string) => void,
) {
  onChange(putInto(field, from, to, text))
}

function wrap(field: HTMLTextAreaElement, sign: string, onChange: (value: string) => void, end = sign): void {
  const { selectionStart: from, selectionEnd: to, value } = field
  replace(field, from, to, sign + value.slice(from, to) + end, onChange)
  field.setSelectionRange(from + sign.length, to + sign.length)
}

function startLine(field: HTMLTextAreaElement, sign: string, onChange: (value: string) => void): void {
  const at = field.value.lastIndexOf('\n', field.selectionStart - 1) + 1
  const end = field.selectionStart + sign.length
  replace(field, at, at, sign, onChange)
  field.setSelectionRange(end, end)
}

const ITEM = /^(\s*)([-*+] (?:\[[ xX]\] )?|(\d+)([.)]) )(.*)$/

/** Enter in a list starts its next item, and ends the list after an empty one. */
function continueList(event: KeyboardEvent<HTMLTextAreaElement>, onChange: (value: string) => void): void {
  const field = event.currentTarget
  if (field.selectionStart !== field.selectionEnd) return
  const at = field.value.lastIndexOf('\n', field.selectionStart - 1) + 1
  const item = ITEM.exec(field.value.slice(at, field.selectionStart))
  if (!item) return
  event.preventDefault()
  const [, indent, sign, number, mark, text] = item
  const next = number ? `${Number(number) + 1}${mark} ` : sign!.replace(/\[[xX]\]/, '[ ]')
  if (text === '') replace(field, at, field.selectionStart, '', onChange)
  else replace(field, field.selectionStart, field.selectionStart, `\n${indent}${next}`, onChange)
}
