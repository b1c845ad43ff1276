import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { connection } from '../../lib/connection.ts'
import { dropDraft, findDraft, keepDraft } from '../../lib/drafts.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useStore } from '../../lib/store.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { useFilesInText } from '../../ui/use-files-in-text.ts'
import { Notice } from '../Notice.tsx'
import css from './MarkdownSource.module.css'
import {
  createMarkdownSource,
  type MarkdownSource as Source,
  type SourceState,
  type Stored,
} from './markdown-source.ts'

const PAUSE_MS = 600
const TRY_AGAIN_MS = 5_000

/** A text that is stored as markdown. */
export interface SourceText {
  /** Names its draft on this device. */
  name: string
  title: string
  query: UseQueryOptions<Stored>
  /** Replaces the text if it still has this tag. Returns its new one. */
  write(text: string, etag: string | undefined): Promise<string | undefined>
  /** Why the server would not take a text. */
  findFault?(text: string): string | undefined
  /** Shows the page of the text. */
  open(): void
}

interface Props {
  of: SourceText
  mayWrite: boolean
  onState(state: SourceState | undefined): void
}

const draftName = (userId: string, name: string) => `markdown-${userId}-${name}`

/** True if someone typed markdown here that the server does not have. */
export const hasMarkdownDraft = (userId: string, name: string) => findDraft(draftName(userId, name)) !== undefined

/** The text as it is stored, byte for byte. What is typed here is saved after a pause and merged with what others type. */
export function MarkdownSource({ of, mayWrite, onState }: Props) {
  const { session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { query } = of
  const { data, error } = useQuery(query)
  const [source] = useState(() => {
    const name = draftName(session.user.id, of.name)
    return createMarkdownSource({
      findFault: of.findFault,
      async send(text, etag) {
        const stored = { text, etag: await of.write(text, etag) }
        queryClient.setQueryData(query.queryKey, stored)
        return stored
      },
      reload: () => queryClient.fetchQuery({ ...query, staleTime: 0 }),
      drafts: {
        find: () => findDraft(name),
        keep: (text, from) => keepDraft(name, text, from),
        drop: () => dropDraft(name),
      },
    })
  })
  const text = useStore(source.text)
  const state = useStore(source.state)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (data) source.receive(data)
  }, [source, data])
  useEffect(() => void onState(state), [onState, state])
  useEffect(() => () => onState(undefined), [onState])
  const field = useRef<HTMLTextAreaElement>(null)
  const type = (next: string) => {
    source.type(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void source.save(), PAUSE_MS)
  }
  const { taking } = useFilesInText(field, type)
  useTryingAgain(source)
  useLeaving(source, of, timer)

  if (error && !data && text === undefined) throw error
  if (text === undefined) return null
  return (
    <div className={css.source}>
      {state.is === 'invalid' && (
        <Notice actions={<Button onClick={() => void source.save()}>Retry</Button>}>
          Not saved: {state.reason}. It is kept on this device, and saved as soon as it is valid.
        </Notice>
      )}
      {state.is === 'conflict' && (
        <Notice
          actions={
            <>
              <Button onClick={source.takeTheirs}>Take theirs</Button>
              <Button onClick={source.keepMine}>Keep mine</Button>
            </>
          }
        >
          Not saved: someone else changed the same lines. Yours are kept on this device.
        </Notice>
      )}
      <textarea
        ref={field}
        className={css.text}
        aria-label="Markdown"
        spellCheck={false}
        readOnly={!mayWrite}
        value={text}
        onChange={(event) => type(event.target.value)}
        {...(mayWrite && taking)}
      />
    </div>
  )
}

/** Saves what waits as soon as the server can be reached. */
function useTryingAgain(source: Source): void {
  useEffect(() => {
    const retry = () => {
      if (source.state.get().is === 'waiting') void source.save()
    }
    const timer = setInterval(retry, TRY_AGAIN_MS)
    const stop = connection.subscribe(() => connection.get().isOnline && retry())
    addEventListener('online', retry)
    return () => {
      clearInterval(timer)
      stop()
      removeEventListener('online', retry)
    }
  }, [source])
}

type Timer = { current: ReturnType<typeof setTimeout> | undefined }

/** Saves what was typed last when the view changes or the tab is closed, and says so where that is not possible. */
function useLeaving(source: Source, of: SourceText, timer: Timer): void {
  const latest = useRef(of)
  latest.current = of
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      const { is } = source.state.get()
      // What waits or is on its way comes back from the device. What nobody would save again needs a word.
      if (is === 'invalid' || is === 'conflict' || !source.isKept()) event.preventDefault()
      else void source.save()
    }
    addEventListener('beforeunload', ask)
    return () => {
      removeEventListener('beforeunload', ask)
      clearTimeout(timer.current)
      void source.save().then(() => {
        const now = source.state.get()
        if (now.is === 'saved') return
        const why =
          now.is === 'invalid' ? now.reason : now.is === 'conflict' ? 'someone else changed the same lines' : ''
        showToast({
          text: `The markdown of “${latest.current.title}” is not saved${why && `: ${why}`}`,
          detail: 'It is kept on this device. Open the document to go on.',
          tone: 'error',
          action: { label: 'Open', run: () => latest.current.open() },
        })
      })
    }
  }, [source, timer])
}
