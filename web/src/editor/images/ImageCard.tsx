import { NodeSelection } from 'prosemirror-state'
import { useEffect, useRef, useState } from 'react'
import { readAlt, writeAlt } from '../../lib/picture-size.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconTrash } from '../../ui/icons.ts'
import { type Editor, useShown } from '../create-editor.ts'
import { schema } from '../schema.ts'
import css from './ImageCard.module.css'

const SIZES = [
  { label: 'Small', width: 240 },
  { label: 'Medium', width: 480 },
  { label: 'Full size', width: undefined },
]

const selected = ({ view }: Editor) => {
  const { selection } = view.state
  return selection instanceof NodeSelection && selection.node.type === schema.nodes.image ? selection : undefined
}

/** The size, the alternative text and the caption of the selected picture. */
export function ImageCard({ editor }: { editor: Editor }) {
  const card = useRef<HTMLDivElement>(null)
  const isShown = useShown(editor, () => selected(editor) !== undefined)
  const [hasFocus, setFocus] = useState(false)
  const selection = selected(editor)
  const { view } = editor
  // Enter goes from the picture to its card.
  useEffect(() => {
    const enter = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !selected(editor) || event.isComposing) return
      event.preventDefault()
      event.stopPropagation()
      card.current?.querySelector('input')?.focus()
    }
    view.dom.addEventListener('keydown', enter, true)
    return () => view.dom.removeEventListener('keydown', enter, true)
  }, [editor, view])
  if (!isShown || !selection || !(view.hasFocus() || hasFocus)) return null
  const dom = view.nodeDOM(selection.from)
  if (!(dom instanceof HTMLElement)) return null
  const box = dom.getBoundingClientRect()
  const { alt, width } = readAlt(selection.node.attrs.alt)
  // A picture that is named by a reference gets its address written beside it.
  const set = (attrs: object) => {
    const { state } = view
    const now = selected(editor)
    if (!now) return
    const next = { ...now.node.attrs, style: 'inline', label: '', ...attrs }
    const tr = state.tr.setNodeMarkup(now.from, undefined, next)
    view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, now.from)))
  }
  const top = Math.min(Math.max(box.bottom + 8, 110), innerHeight - 140)
  return (
    <div
      ref={card}
      className={css.card}
      style={{ left: Math.max(8, Math.min(box.left, innerWidth - 328)), top }}
      role="dialog"
      aria-label="Image"
      data-own-keys
      onFocus={() => setFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget))}
      onKeyDown={(event) => {
        if (event.key === 'Escape') view.focus()
      }}
    >
      <div className={css.sizes}>
        {SIZES.map((size) => (
          <button
            key={size.label}
            type="button"
            aria-pressed={size.width === width}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => set({ alt: writeAlt(alt, size.width) })}
          >
            {size.label}
          </button>
        ))}
        <IconButton
          label="Remove the image"
          className={css.remove}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            view.dispatch(view.state.tr.deleteSelection())
            view.focus()
          }}
        >
          <IconTrash size={16} stroke={1.75} />
        </IconButton>
      </div>
      <Field
        key={`alt ${selection.node.attrs.src}`}
        label="Alt text"
        hint="What the picture shows, for those who do not see it"
        value={alt}
        onSave={(text) => set({ alt: writeAlt(text, width) })}
        onDone={() => view.focus()}
      />
      <Field
        key={`caption ${selection.node.attrs.src}`}
        label="Caption"
        hint="Shown below the picture"
        value={selection.node.attrs.title}
        onSave={(title) => set({ title })}
        onDone={() => view.focus()}
      />
    </div>
  )
}

interface FieldProps {
  label: string
  hint: string
  value: string
  onSave(text: string): void
  onDone(): void
}

/** Writes once, when it is left or with Enter. Until something is typed it shows what others write. */
function Field({ label, hint, value, onSave, onDone }: FieldProps) {
  const [typed, setTyped] = useState<string>()
  const save = () => {
    setTyped(undefined)
    if (typed !== undefined && typed.trim() !== value) onSave(typed.trim())
  }
  return (
    <label className={css.field}>
      <span>{label}</span>
      <input
        value={typed ?? value}
        placeholder={hint}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          save()
          onDone()
        }}
      />
    </label>
  )
}
