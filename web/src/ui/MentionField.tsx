import { useParams, useRouter } from '@tanstack/react-router'
import { type ComponentProps, type KeyboardEvent, type RefObject, useEffect, useMemo, useState } from 'react'
import { findLinks, type LinkTarget } from '../lib/find-links.ts'
import { keyInList } from '../lib/listbox.ts'
import { putInto } from '../lib/put-into.ts'
import { KindSign } from '../people/KindSign.tsx'
import { FieldList, FieldOption, LINE_PX } from './FieldList.tsx'

interface Props extends Omit<ComponentProps<'textarea'>, 'ref' | 'value' | 'onChange'> {
  field: RefObject<HTMLTextAreaElement | null>
  value: string
  onChange(value: string): void
}

const MENTION = /(?:^|[\s(])@([^\s@[\]][^\n@[\]]{0,40})?$/
const AFTER_MS = 100
const MAX_SHOWN = 6

/** A text field in which `@` names a person or anything else. The list stands below the nearest positioned element. */
export function MentionField({ field, onChange, onKeyDown, onBlur, ...rest }: Props) {
  const { items, active, setActive, look } = useMention()
  const pick = (target: LinkTarget) => {
    const { value, selectionStart: end } = field.current!
    const link = `[${target.text.replaceAll(/[[\]]/g, '')}](${target.href}) `
    onChange(putInto(field.current!, value.lastIndexOf('@', end - 1), end, link))
    look(undefined)
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const meant =
      items.length > 0 && !event.nativeEvent.isComposing ? keyInList(event.key, active, items.length) : undefined
    if (meant === undefined) return onKeyDown?.(event)
    event.preventDefault()
    event.stopPropagation()
    if (meant === 'close') look(undefined)
    else if (meant === 'pick') pick(items[active]!)
    else setActive(meant)
  }
  return (
    <>
      <textarea
        ref={field}
        {...rest}
        onChange={({ target }) => {
          onChange(target.value)
          look(MENTION.exec(target.value.slice(0, target.selectionStart))?.[1])
        }}
        onBlur={(event) => {
          look(undefined)
          onBlur?.(event)
        }}
        onKeyDown={press}
      />
      {items.length > 0 && (
        <FieldList label="Mention" heightPx={items.length * LINE_PX + 16}>
          {items.map((item, index) => (
            <FieldOption
              key={item.id}
              isActive={index === active}
              sign={<KindSign {...item.found} />}
              name={item.text}
              onPick={() => pick(item)}
            />
          ))}
        </FieldList>
      )}
    </>
  )
}

/** What an `@` at the cursor may mean. People come first. */
function useMention() {
  const router = useRouter()
  const projectId = useParams({ strict: false }).projectId!
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
      setItems([...found.filter(isPerson), ...found.filter((one) => !isPerson(one))].slice(0, MAX_SHOWN))
      setActive(0)
    }, AFTER_MS)
    return () => {
      clearTimeout(timer)
      request.abort()
    }
  }, [words, find])
  return { items, active, setActive, look: setWords }
}
