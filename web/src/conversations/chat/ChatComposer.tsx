import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { AttachButton } from '../../comments/Composer.tsx'
import { putInto } from '../../lib/put-into.ts'
import { IconButton } from '../../ui/Button.tsx'
import { DropTarget } from '../../ui/DropTarget.tsx'
import { IconArrowUp, IconAt } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { MentionField } from '../../ui/MentionField.tsx'
import { useFilesInText } from '../../ui/use-files-in-text.ts'
import css from './ChatComposer.module.css'

interface Props {
  text: string
  onChange(text: string): void
  onSend(): void
  isBusy: boolean
  /** The agent is answering. */
  isAnswering: boolean
  onStop?: (() => void) | undefined
  fault: string | undefined
  /** Puts the cursor into the field when it changes. */
  focusKey: number
  children?: ReactNode
}

/** Where a person writes to the agent. Enter sends, or stops nothing: while the agent answers, the message waits. */
export function ChatComposer(props: Props) {
  const { text, onChange, onSend, isBusy, isAnswering, onStop, fault, focusKey, children } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const { storing, take, taking } = useFilesInText(field, onChange)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever changes it wants the cursor in the field.
  useEffect(() => {
    const { current } = field
    current?.focus({ preventScroll: true })
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [focusKey])
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      if (!storing) onSend()
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      if (onStop) onStop()
      else event.currentTarget.blur()
    }
  }
  const mention = () => {
    const { current } = field
    if (!current) return
    const at = current.selectionStart
    const isApart = at === 0 || /\s/.test(current.value[at - 1]!)
    onChange(putInto(current, at, at, isApart ? '@' : ' @'))
    current.focus()
  }
  return (
    <DropTarget className={css.card!} onFiles={(files) => take([...files])}>
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      <MentionField
        field={field}
        aria-label="Message"
        placeholder="Ask, or change something"
        rows={1}
        className={css.field}
        value={text}
        readOnly={storing !== undefined || isBusy}
        onChange={onChange}
        onKeyDown={press}
        {...taking}
      />
      {storing && (
        <p className={css.hint} role="status">
          Storing “{storing}”…
        </p>
      )}
      <div className={css.foot}>
        <AttachButton onFiles={(files) => take([...files])} />
        <IconButton label="Mention something" small onClick={mention}>
          <IconAt size={16} stroke={1.75} />
        </IconButton>
        {children}
        <span className={css.grow} />
        {isAnswering && text.trim() !== '' && (
          <span className={css.hint}>
            <Kbd keys="enter" /> sends when the answer is done
          </span>
        )}
        {onStop ? (
          <button type="button" className={css.stop} onClick={onStop}>
            <span className={css.square} aria-hidden="true" />
            Stop
            <span className={css.esc} aria-hidden="true">
              esc
            </span>
          </button>
        ) : (
          <button
            type="button"
            className={css.send}
            aria-label="Send"
            title="Send"
            disabled={text.trim() === '' || isBusy || storing !== undefined}
            onClick={onSend}
          >
            <IconArrowUp size={18} />
          </button>
        )}
      </div>
    </DropTarget>
  )
}
