import { setBlockType, toggleMark } from 'prosemirror-commands'
import type { MarkType } from 'prosemirror-model'
import { type Command, TextSelection } from 'prosemirror-state'
import { type ReactNode, useState } from 'react'
import { useStore } from '../lib/store.ts'
import { IconButton } from '../ui/Button.tsx'
import { IconBold, IconCode, IconItalic, IconLink, IconMessagePlus, IconStrikethrough, IconX } from '../ui/icons.ts'
import { type Editor, useShown } from './create-editor.ts'
import { withScheme } from './links/link-card.ts'
import css from './menus.module.css'
import { schema } from './schema.ts'

const { marks, nodes } = schema

interface Props {
  editor: Editor
  mayFormat: boolean
  mayComment: boolean
}

/** The tools for the selected text. */
export function BubbleMenu({ editor, mayFormat, mayComment }: Props) {
  const isLinking = useStore(editor.linking)
  const isShown = useShown(editor, () => isLinking || (!editor.view.state.selection.empty && editor.view.hasFocus()))
  if (!isShown) return null
  const { view } = editor
  const { selection, doc } = view.state
  const { from, to, empty, $from } = selection
  const isText = selection instanceof TextSelection && $from.parent.inlineContent
  const hasTools = mayFormat && !$from.parent.type.spec.code
  if (!hasTools && !mayComment) return null
  if (!isText || (!isLinking && (empty || !view.hasFocus()))) return null
  const start = view.coordsAtPos(from)
  const end = view.coordsAtPos(to)
  const top = start.top - 44
  const place = {
    left: Math.max(
      8,
      Math.min(start.top === end.top ? (start.left + end.left) / 2 - 130 : start.left, innerWidth - 320),
    ),
    top: top < 56 ? end.bottom + 8 : top,
  }
  const run = (command: Command) => {
    command(view.state, view.dispatch, view)
    view.focus()
  }
  const has = (type: MarkType) =>
    empty ? Boolean(type.isInSet(view.state.storedMarks ?? $from.marks())) : doc.rangeHasMark(from, to, type)
  const tool = (label: string, type: MarkType, sign: ReactNode) => (
    <Tool key={label} label={label} on={has(type)} onClick={() => run(toggleMark(type))}>
      {sign}
    </Tool>
  )
  const heading = $from.parent.type === nodes.heading ? $from.parent.attrs.level : 0
  return (
    <div className={css.bubble} style={place} role="toolbar" aria-label="Format">
      {isLinking ? (
        <LinkField editor={editor} />
      ) : (
        <>
          {mayComment && (
            <Tool label="Comment (Ctrl Alt M)" on={false} onClick={editor.comment}>
              <IconMessagePlus size={16} />
            </Tool>
          )}
          {mayComment && hasTools && <span className={css.rule} />}
          {hasTools && formats()}
        </>
      )}
    </div>
  )

  function formats() {
    return (
      <>
        {tool('Bold (Ctrl B)', marks.strong, <IconBold size={16} />)}
        {tool('Italic (Ctrl I)', marks.em, <IconItalic size={16} />)}
        {tool('Strikethrough', marks.strike, <IconStrikethrough size={16} />)}
        {tool('Code (Ctrl E)', marks.code, <IconCode size={16} />)}
        <Tool label="Link (Ctrl K)" on={has(marks.link)} onClick={() => editor.linking.set(true)}>
          <IconLink size={16} />
        </Tool>
        {$from.depth === 1 && <span className={css.rule} />}
        {$from.depth === 1 &&
          [1, 2, 3].map((level) => (
            <Tool
              key={level}
              label={`Heading ${level}`}
              on={heading === level}
              onClick={() =>
                run(heading === level ? setBlockType(nodes.paragraph) : setBlockType(nodes.heading, { level }))
              }
            >
              <span className={css.level}>H{level}</span>
            </Tool>
          ))}
      </>
    )
  }
}

function Tool({ label, on, onClick, children }: { label: string; on: boolean; onClick(): void; children: ReactNode }) {
  return (
    <IconButton
      label={label}
      aria-pressed={on}
      className={css.tool}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      {children}
    </IconButton>
  )
}

function LinkField({ editor }: { editor: Editor }) {
  const { view, linking } = editor
  const { from, to, empty, $from } = view.state.selection
  const current = marks.link.isInSet($from.marks()) ?? marks.link.isInSet(view.state.doc.nodeAt(from)?.marks ?? [])
  const [href, setHref] = useState<string>(current?.attrs.href ?? '')
  const close = () => {
    linking.set(false)
    view.focus()
  }
  const save = () => {
    const address = href.trim()
    const { tr } = view.state
    if (empty && address) tr.insertText(address, from)
    const end = empty ? from + address.length : to
    tr.removeMark(from, end, marks.link)
    if (address) tr.addMark(from, end, marks.link.create({ href: withScheme(address) }))
    view.dispatch(tr)
    close()
  }
  return (
    <form
      className={css.link}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the field opens on request
        autoFocus
        className={css.address}
        aria-label="Address of the link"
        placeholder="https://… or a path"
        value={href}
        onChange={(event) => setHref(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
          event.stopPropagation()
        }}
      />
      {current && (
        <IconButton
          label="Remove the link"
          className={css.tool}
          onClick={() => {
            view.dispatch(view.state.tr.removeMark(from, to, marks.link))
            close()
          }}
        >
          <IconX size={15} />
        </IconButton>
      )}
    </form>
  )
}
