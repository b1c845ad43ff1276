import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type Connection, connectionsQuery } from '../../connections/api.ts'
import { ConnectionLink } from '../../connections/ConnectionLink.tsx'
import { ConnectPicker } from '../../connections/ConnectPicker.tsx'
import { CONNECTABLE } from '../../connections/connectable.ts'
import { codeOfConnection } from '../../connections/names.ts'
import { Suspect } from '../../connections/Suspect.tsx'
import { inWords, KINDS } from '../../lib/kinds.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconChevronDown, IconChevronRight, IconPlus, IconUnlink } from '../../ui/icons.ts'
import { Markdown } from '../../ui/Markdown.tsx'
import { PopUp } from '../../ui/PopUp.tsx'
import { Badge, SectionHead } from '../../ui/SectionHead.tsx'
import { editWorkOrders } from '../edits.ts'
import { placeOf, rankSections } from '../excerpt.ts'
import type { Connected, WorkOrder } from '../work-order.ts'
import css from './Section.module.css'

const SUGGESTION = /\{(?:\+\+|--|~~)/g

/** What the work order serves, with the lines that are about it in place. */
export function ConnectedList({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const all = workOrder.connectedContext
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(all.slice(0, 1).map(({ resourceId }) => resourceId)),
  )
  const toggle = (id: string) =>
    setOpen((old) => (old.has(id) ? new Set([...old].filter((one) => one !== id)) : new Set(old).add(id)))
  const save = (summary: string, next: Connected[]) => {
    const bare = (links: Connected[]) => links.map(({ resourceType, resourceId }) => ({ resourceType, resourceId }))
    // Undo sends the links as they stand in the row, so without their texts.
    const row = { ...workOrder, connectedContext: bare(all) }
    void editWorkOrders(projectId, summary, [
      { row, fields: { connectedContext: bare(next) }, shows: { connectedContext: next } },
    ])
  }
  const mayWrite = useMayWrite()
  const states = useQuery(connectionsQuery(projectId, workOrder.id)).data
  const about = `${workOrder.title} ${workOrder.markdown_content}`
  if (all.length === 0 && !mayWrite) return null
  return (
    <section aria-label="Connected">
      <SectionHead title="Connected" beside={all.length > 0 && <Badge>{all.length}</Badge>}>
        {mayWrite && (
          <PopUp
            place="bottom-end"
            target={({ toggle: show, open: isOpen }) => (
              <Button look="quiet" icon={<IconPlus size={15} stroke={1.75} />} aria-expanded={isOpen} onClick={show}>
                Connect
              </Button>
            )}
          >
            {(close) => (
              <ConnectPicker
                projectId={projectId}
                id={workOrder.id}
                kinds={CONNECTABLE}
                connected={all.map(({ resourceId }) => resourceId)}
                onPick={(one) => {
                  close()
                  const has = all.some(({ resourceId }) => resourceId === one.resourceId)
                  if (has)
                    save(
                      `disconnected ${one.title}`,
                      all.filter(({ resourceId }) => resourceId !== one.resourceId),
                    )
                  else save(`connected ${one.title}`, [...all, one])
                }}
              />
            )}
          </PopUp>
        )}
      </SectionHead>
      {all.length > 0 && (
        <div className={css.card}>
          {all.map((one) => (
            <ConnectedOne
              key={one.resourceId}
              one={one}
              state={states?.find(({ resource_id }) => resource_id === one.resourceId)}
              own={{ id: workOrder.id, type: 'work_order', title: workOrder.title }}
              mayWrite={mayWrite}
              about={about}
              isOpen={open.has(one.resourceId)}
              onToggle={() => toggle(one.resourceId)}
              onDisconnect={() =>
                save(
                  `disconnected ${one.title ?? KINDS[one.resourceType].name}`,
                  all.filter((other) => other !== one),
                )
              }
            />
          ))}
        </div>
      )}
    </section>
  )
}

const hasPage = ({ resource_type }: Connection) =>
  ['requirements_document', 'blueprint', 'work_order'].includes(resource_type)

interface OneProps {
  one: Connected
  /** What it is like now, once that is known. */
  state: Connection | undefined
  own: { id: string; type: 'work_order'; title: string }
  mayWrite: boolean
  about: string
  isOpen: boolean
  onToggle(): void
  onDisconnect(): void
}

function ConnectedOne({ one, state, own, mayWrite, about, isOpen, onToggle, onDisconnect }: OneProps) {
  const { resourceType, title, markdown_content: text } = one
  const { name: kind, icon: Sign } = KINDS[resourceType]
  const code = state && codeOfConnection(state)
  const [isWhole, setIsWhole] = useState(false)
  const sections = useMemo(() => (isOpen && text ? rankSections(text, about) : []), [isOpen, text, about])
  const [cited] = sections
  const suggestions = text ? Math.ceil((text.match(SUGGESTION)?.length ?? 0) / 2) : 0
  const hasText = Boolean(text?.trim())
  return (
    <div className={css.connected}>
      <div className={css.link}>
        <button
          type="button"
          className={css.fold}
          aria-expanded={hasText ? isOpen : undefined}
          disabled={!hasText}
          onClick={onToggle}
        >
          {isOpen && hasText ? (
            <IconChevronDown size={14} stroke={1.75} />
          ) : (
            <IconChevronRight size={14} stroke={1.75} className={hasText ? undefined : css.nothing} />
          )}
          <Sign size={16} stroke={1.75} />
          <strong>{code ? `${code} ${state.title}` : (title ?? kind)}</strong>
          <span className={css.kind}>{kind}</span>
        </button>
        {suggestions > 0 && (
          <span className={css.suggestions}>{suggestions === 1 ? '1 suggestion' : `${suggestions} suggestions`}</span>
        )}
        {state?.status && <Badge>{inWords(state.status)}</Badge>}
        {state?.version_number && <span className={css.kind}>v{state.version_number}</span>}
        {state && <Suspect own={own} other={state} mayWrite={mayWrite} />}
        {state && hasPage(state) && (
          <ConnectionLink to={state} className={css.openLink}>
            Open
          </ConnectionLink>
        )}
        {mayWrite && (
          <IconButton label={`Disconnect ${title ?? kind}`} small className={css.disconnect} onClick={onDisconnect}>
            <IconUnlink size={15} stroke={1.75} />
          </IconButton>
        )}
      </div>
      {isOpen && hasText && (
        <div className={css.quote}>
          {isWhole || !cited ? (
            <Markdown text={text!} />
          ) : (
            <>
              <p className={css.place}>{placeOf(cited)}</p>
              <Markdown text={cited.text} />
            </>
          )}
          {(sections.length > 1 || isWhole) && (
            <button type="button" className={css.whole} onClick={() => setIsWhole(!isWhole)}>
              {isWhole ? 'Show only the lines about this' : 'Show the whole text'}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
