import { useState } from 'react'
import { isSafeAddress, ownPath } from '../../lib/addresses.ts'
import { copyText } from '../../lib/copy-text.ts'
import { useStore } from '../../lib/store.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconCheck, IconCopy, IconExternalLink, IconPencil, IconUnlink } from '../../ui/icons.ts'
import { type Editor, useShown } from '../create-editor.ts'
import menu from '../menus.module.css'
import css from './LinkCard.module.css'
import { type LinkPlace, linkAround, removeLink, setAddress, withScheme } from './link-card.ts'

const SIZE = { size: 16, stroke: 1.75 }
const WIDTH_PX = 344
const HEIGHT_PX = 46

/** Where the link at the cursor leads, and what can be done with it. */
export function LinkCard({ editor }: { editor: Editor }) {
  const state = useStore(editor.linkCard)
  useShown(editor, () => state !== undefined)
  if (!state) return null
  const { view } = editor
  const place = linkAround(view.state.selection.$head)
  if (!place) return null
  const { left, top, bottom } = view.coordsAtPos(place.from)
  const end = view.coordsAtPos(place.to)
  const isAbove = end.bottom + HEIGHT_PX > innerHeight
  const style = {
    left: Math.max(8, Math.min(left, innerWidth - WIDTH_PX - 8)),
    top: isAbove ? top - HEIGHT_PX : Math.max(bottom, end.bottom) + 6,
  }
  const close = () => {
    editor.linkCard.set(undefined)
    view.focus()
  }
  return (
    <div
      className={css.card}
      style={style}
      role="dialog"
      aria-label="Link"
      data-own-keys
      data-link-card
      // A button must not take the focus from the text, which would close the card.
      onMouseDown={(event) => {
        if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
      }}
      onKeyDown={(event) => event.key === 'Escape' && close()}
      onBlur={({ currentTarget, relatedTarget }) => {
        const isInside = currentTarget.contains(relatedTarget) || view.dom.contains(relatedTarget)
        if (!isInside && document.hasFocus()) editor.linkCard.set(undefined)
      }}
    >
      {state === 'editing' ? (
        <Address editor={editor} place={place} onDone={close} />
      ) : (
        <Actions editor={editor} place={place} onDone={close} />
      )}
    </div>
  )
}

interface PartProps {
  editor: Editor
  place: LinkPlace
  onDone(): void
}

function Actions({ editor, place, onDone }: PartProps) {
  const href = String(place.mark.attrs.href)
  const own = ownPath(href)
  const full = own ? location.origin + own : href
  return (
    <>
      {isSafeAddress(href) ? (
        <a className={css.open} href={href} target="_blank" rel="noreferrer" title={`Open ${full}`} aria-label="Open">
          <IconExternalLink {...SIZE} />
          <span>{href.replace(/^https?:\/\/(www\.)?/, '')}</span>
        </a>
      ) : (
        <span className={css.open} title="Links of this kind are not opened.">
          <IconUnlink {...SIZE} />
          <span>{href || 'No address'}</span>
        </span>
      )}
      <span className={menu.rule} />
      <IconButton label="Edit the address" onClick={() => editor.linkCard.set('editing')}>
        <IconPencil {...SIZE} />
      </IconButton>
      <IconButton label="Copy the address" onClick={() => void copyText(full, 'Address copied')}>
        <IconCopy {...SIZE} />
      </IconButton>
      <IconButton
        label="Remove the link"
        onClick={() => {
          editor.view.dispatch(removeLink(editor.view.state, place))
          onDone()
        }}
      >
        <IconUnlink {...SIZE} />
      </IconButton>
    </>
  )
}

function Address({ editor, place, onDone }: PartProps) {
  const [href, setHref] = useState(String(place.mark.attrs.href))
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        const { state } = editor.view
        const address = href.trim()
        editor.view.dispatch(address ? setAddress(state, place, withScheme(address)) : removeLink(state, place))
        onDone()
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the field opens on request
        autoFocus
        aria-label="Address of the link"
        placeholder="https://… or a path"
        value={href}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setHref(target.value)}
      />
      <IconButton label="Save the address" type="submit">
        <IconCheck {...SIZE} />
      </IconButton>
    </form>
  )
}
