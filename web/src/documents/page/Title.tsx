import type { VersionEntry } from '@slipway/sdk'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useRouteContext } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { listNames } from '../../lib/list-names.ts'
import { ActorMarks } from '../../people/ActorMarks.tsx'
import { useAgents } from '../../people/Avatar.tsx'
import { nameActor } from '../../people/actor-name.ts'
import { Time } from '../../ui/Time.tsx'
import { treeQuery, versionsQuery } from '../api.ts'
import { type Authored, actorOf, useAuthor } from '../author.ts'
import { groupTitle, type Kind } from '../kind.ts'
import { renameDocument } from '../tree/edits.ts'
import css from './Title.module.css'

const GROUPS: Record<string, string> = {
  OVERVIEW: 'Overview',
  FEATURE: 'Feature',
  'Feature Blueprints': 'Feature blueprint',
}

interface Props {
  kind: Kind
  document: { id: string; title: string }
  mayWrite: boolean
  /** Called when Enter leaves the title. */
  onDone(): void
}

/** The title, which is renamed in place, and who changed the text last. */
export function Title({ kind, document, mayWrite, onDone }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const [text, setText] = useState(document.title)
  const field = useRef<HTMLTextAreaElement>(null)
  const tree = useQuery(treeQuery(project.id, kind)).data
  const node = tree?.nodes.find(({ id }) => id === document.id)
  const group = tree?.groups.find(({ id }) => id === node?.group_id)
  useEffect(() => void setText(document.title), [document.title])
  const isAsked = useLocation({ select: ({ hash }) => hash === 'title' })
  useEffect(() => {
    if (!isAsked) return
    field.current?.focus()
    field.current?.select()
  }, [isAsked])
  const save = () => {
    const title = text.trim()
    if (!title) setText(document.title)
    else if (node) renameDocument(project.id, kind, { ...node, title: document.title }, title)
  }
  return (
    <header className={css.head}>
      <h1 className={css.title} data-text={text}>
        <textarea
          ref={field}
          className={css.field}
          aria-label="Title"
          dir="auto"
          rows={1}
          maxLength={500}
          readOnly={!mayWrite}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value.replaceAll('\n', ' '))}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              setText(document.title)
              requestAnimationFrame(() => field.current?.blur())
            } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
              event.preventDefault()
              field.current?.blur()
              onDone()
            }
          }}
        />
      </h1>
      <p className={css.byline}>
        {group && <span>{GROUPS[group.name] ?? groupTitle(group.name)}</span>}
        <LastEdit kind={kind} id={document.id} />
      </p>
    </header>
  )
}

function LastEdit({ kind, id }: { kind: Kind; id: string }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const last = useQuery(versionsQuery(project.id, kind, id)).data?.[0]
  return last ? <Edited version={last} /> : null
}

function Edited({ version }: { version: VersionEntry }) {
  const { authors, version_number, created_at } = version
  const agents = useAgents()
  const actors = authors.map((author) => actorOf(authoredBy(author)))
  const { aside } = useAuthor(authoredBy(authors[0]!))
  const name = listNames(actors.map((actor) => nameActor(actor, agents).name))
  return (
    <>
      <span className={css.dot}>·</span>
      <ActorMarks actors={actors} size={18} />
      <span>
        {version_number === 1 ? `${name} created it` : `${name} edited`} <Time at={created_at} as="when" />
        {aside && authors.length === 1 && `, ${aside}`}
      </span>
    </>
  )
}

const authoredBy = (author: VersionEntry['authors'][number]): Authored => ({
  name: [author.user_first_name, author.user_last_name].filter(Boolean).join(' ') || author.user_email || '',
  id: author.user_id,
  origin: author.origin_type,
  via: author.created_via,
})
