import { useState } from 'react'
import { useDraftText } from '../lib/drafts.ts'
import { Composer } from './Composer.tsx'

interface Props {
  label: string
  placeholder: string
  /** What the text is about. It stays on this device under that name until it is sent. */
  draft: string
  /** What the field starts with if there is no draft. */
  initial?: string
  autoFocus?: boolean
  /** Returns true once the server has it. */
  onSend(message: string): Promise<boolean>
  onCancel?(): void
}

/** A line for a comment. What is not sent stays a draft, also after Esc. */
export function CommentField({ draft, initial, onSend, ...rest }: Props) {
  const [text, change] = useDraftText(draft, initial)
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    if (!text.trim() || isBusy) return
    setBusy(true)
    const isSent = await onSend(text.trim())
    setBusy(false)
    if (isSent) change('')
  }
  return <Composer {...rest} text={text} onChange={change} isBusy={isBusy} onSend={() => void send()} />
}
