import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Notice } from '../../editor/Notice.tsx'
import { connection } from '../../lib/connection.ts'
import { dropDraft, findDraft, keepDraft } from '../../lib/drafts.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useStore } from '../../lib/store.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { useFilesInText } from '../../ui/use-files-in-text.ts'
import { contentQuery } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'
import css from './MarkdownSource.module.css'
import { createMarkdownSource, type MarkdownSource as Source, type SourceState } from './markdown-source.ts'

const PAUSE_MS = 600
const TRY_AGAIN_MS = 5_000

interface Props {
  kind: Kind
  id: string
  title: string
  mayWrite: boolean
  onState(state: SourceState | undefined): void
}

const draftName = (userId: string, kind: Kind, id: string) => `markdown-${userId}-${kind}-${id}`

/** True if someone typed markdown here that the server does not have. */
export const hasMarkdownDraft = (userId: string, kind: Kind, id: string) =>
  findDraft(draftName(userId, kind, id)) !== undefined

/** The text as it is stored, byte for byte. What is typed here is saved after a pause and merged with what others type. */
export function MarkdownSource({ kind, id, title, mayWrite, onState }: Props) {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const query = contentQuery(project.id, kind, id)
  const { data, error } = useQuery(query)
  const [source] = useState(() => {
    const name = draftName(session.user.id, kind, id)
    return createMarkdownSource({
      async send(markdown_content, etag) {
        const { meta } = await documentsOf(project.id, kind).update(
          id,
          { markdown_content },
          etag ? { ifMatch: etag } : {},
        )
        const stored = { text: markdown_content, etag: meta.etag }
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
  useLeaving(source, { kind, id, title, timer })

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

interface Leaving {
  kind: Kind
  id: string
  title: string
  timer: { current: ReturnType<typeof setTimeout> | undefined }
}

/** Saves what was typed last when the view changes or the tab is closed, and says so where that is not possible. */
function useLeaving(source: Source, { kind, id, title, timer }: Leaving): void {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const open = useRef<() => void>(undefined)
  open.current = () =>
    void navigate({ to: `/p/$projectId/${kind}/$documentId`, params: { projectId: project.id, documentId: id } })
  const name = useRef(title)
  name.current = title
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
          text: `The markdown of “${name.current}” is not saved${why && `: ${why}`}`,
          detail: 'It is kept on this device. Open the document to go on.',
          tone: 'error',
          action: { label: 'Open', run: () => open.current?.() },
        })
      })
    }
  }, [source, timer])
}
