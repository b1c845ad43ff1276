import { useState } from 'react'
import { Kbd } from '../../ui/Kbd.tsx'
import css from './CommentCard.module.css'

interface FieldProps {
  label: string
  placeholder: string
  autoFocus?: boolean
  onSend(message: string): Promise<boolean>
  onCancel?(): void
}

/** Enter sends, Shift and Enter starts a new line. A failed message stays. */
export function CommentField({ label, placeholder, autoFocus, onSend, onCancel }: FieldProps) {
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    if (!text.trim() || isBusy) return
    setBusy(true)
    const done = await onSend(text.trim())
    setBusy(false)
    if (done) setText('')
  }
  return (
    <div className={css.field}>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the field opens on request
        autoFocus={autoFocus ?? false}
        aria-label={label}
        placeholder={placeholder}
        rows={1}
        value={text}
        readOnly={isBusy}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel?.()
          else if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          if (event.key === 'Enter') void send()
        }}
      />
      <Kbd keys="enter" />
    </div>
  )
}
