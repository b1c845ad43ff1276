import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { SlipwayError } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/Button.tsx'
import { IconAlertTriangle } from '../../ui/icons.ts'
import { contentQuery } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'
import css from './MarkdownSource.module.css'
import { mergeText, restoreEndings } from './merge-text.ts'

const PAUSE_MS = 600

interface Stored {
  text: string
  etag: string | undefined
}

interface Props {
  kind: Kind
  id: string
  mayWrite: boolean
}

type State = 'saved' | 'saving' | { fault: string; conflict?: Stored }

/** The text as it is stored, byte for byte. What is typed here is saved after a pause and merged with what others type. */
export function MarkdownSource({ kind, id, mayWrite }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { data, error } = useQuery(contentQuery(project.id, kind, id))
  const [text, setText] = useState<string>()
  const [state, setState] = useState<State>('saved')
  const base = useRef<Stored>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(text)
  latest.current = text

  const isDirty = () => latest.current !== undefined && latest.current !== shownOf(base.current?.text ?? '')
  const set = (next: string) => {
    latest.current = next
    setText(next)
  }

  useEffect(() => {
    if (!data || isDirty()) return
    base.current = data
    set(shownOf(data.text))
  })

  const save = async (force = false): Promise<void> => {
    clearTimeout(timer.current)
    const known = base.current
    const sent = latest.current
    if (!known || sent === undefined || !isDirty()) return
    setState('saving')
    try {
      const markdown_content = restoreEndings(known.text, sent)
      const options = force || !known.etag ? {} : { ifMatch: known.etag }
      const { meta } = await documentsOf(project.id, kind).update(id, { markdown_content }, options)
      base.current = { text: markdown_content, etag: meta.etag }
      queryClient.setQueryData(contentQuery(project.id, kind, id).queryKey, base.current)
      if (latest.current === sent) setState('saved')
      else await save()
    } catch (err) {
      if (err instanceof SlipwayError && err.status === 412) await merge(known)
      else setState({ fault: (err as Error).message })
    }
  }

  async function merge(known: Stored): Promise<void> {
    const theirs = await queryClient.fetchQuery({ ...contentQuery(project.id, kind, id), staleTime: 0 })
    const merged = mergeText(shownOf(known.text), latest.current ?? '', shownOf(theirs.text))
    if (merged === undefined) {
      setState({ fault: 'Someone else changed the same lines.', conflict: theirs })
      return
    }
    base.current = theirs
    set(merged)
    await save()
  }

  const type = (next: string) => {
    set(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), PAUSE_MS)
  }

  // What was typed last is saved when the view changes.
  const saveLast = useRef(save)
  saveLast.current = save
  useEffect(() => () => void saveLast.current(), [])

  if (error && !data) throw error
  if (text === undefined) return null
  const fault = typeof state === 'object' ? state : undefined
  return (
    <div className={css.source}>
      {fault && (
        <div className={css.fault} role="alert">
          <IconAlertTriangle size={16} />
          <span className={css.grow}>Not saved. {fault.fault}</span>
          {fault.conflict ? (
            <>
              <Button
                onClick={() => {
                  base.current = fault.conflict
                  set(shownOf(fault.conflict!.text))
                  setState('saved')
                }}
              >
                Take theirs
              </Button>
              <Button
                onClick={() => {
                  base.current = fault.conflict
                  void save(true)
                }}
              >
                Keep mine
              </Button>
            </>
          ) : (
            <Button onClick={() => void save()}>Retry</Button>
          )}
        </div>
      )}
      <textarea
        className={css.text}
        aria-label="Markdown"
        spellCheck={false}
        readOnly={!mayWrite}
        value={text}
        onChange={(event) => type(event.target.value)}
      />
    </div>
  )
}

/** As a text field shows it. */
const shownOf = (text: string) => text.replaceAll(/\r\n?/g, '\n')
