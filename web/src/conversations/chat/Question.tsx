import { type KeyboardEvent, useRef, useState } from 'react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconChevronLeft, IconChevronRight, IconPencil } from '../../ui/icons.ts'
import { Markdown } from '../../ui/Markdown.tsx'
import { MentionField } from '../../ui/MentionField.tsx'
import type { Entry } from '../api.ts'
import css from './Question.module.css'
import type { TurnActions } from './turn-actions.ts'

interface Props extends TurnActions {
  entry: Entry
  isActive: boolean
}

/** What the person asked. It can be asked again in other words, which begins another version of the conversation. */
export function Question({
  entry,
  isActive,
  mayTalk,
  conversationId,
  versionsOf,
  drawLink,
  onAskAgain,
  onVersion,
}: Props) {
  const [text, setText] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const versions = versionsOf(entry.number)
  const at = versions.indexOf(conversationId)
  const send = async () => {
    if (!text?.trim() || busy) return
    setBusy(true)
    if (await onAskAgain(entry.number, text.trim())) setText(undefined)
    setBusy(false)
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void send()
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      setText(undefined)
    }
  }
  if (text !== undefined)
    return (
      <div className={css.editing}>
        <MentionField
          field={field}
          autoFocus
          aria-label="Ask in other words"
          className={css.field}
          value={text}
          onChange={setText}
          onKeyDown={press}
        />
        <div className={css.buttons}>
          <Button onClick={() => setText(undefined)}>Cancel</Button>
          <Button look="primary" busy={busy} onClick={() => void send()}>
            Ask again
          </Button>
        </div>
      </div>
    )
  return (
    <div className={css.question}>
      <div className={css.tools}>
        {versions.length > 1 && at >= 0 && (
          <span className={css.versions}>
            <IconButton small label="Version before" disabled={at === 0} onClick={() => onVersion(versions[at - 1]!)}>
              <IconChevronLeft size={15} />
            </IconButton>
            <span>
              {at + 1} / {versions.length}
            </span>
            <IconButton
              small
              label="Version after"
              disabled={at === versions.length - 1}
              onClick={() => onVersion(versions[at + 1]!)}
            >
              <IconChevronRight size={15} />
            </IconButton>
          </span>
        )}
        {mayTalk && !isActive && (
          <IconButton small label="Edit and ask again" className={css.edit} onClick={() => setText(entry.text)}>
            <IconPencil size={15} stroke={1.75} />
          </IconButton>
        )}
      </div>
      <div className={css.bubble} dir="auto">
        <Markdown text={entry.text} drawLink={drawLink} />
      </div>
    </div>
  )
}
