import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Markdown } from '../../lib/markdown.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconChevronDown, IconChevronRight, IconPlus, IconUnlink } from '../../ui/icons.ts'
import { Pick } from '../../ui/Pick.tsx'
import { PopUp } from '../../ui/PopUp.tsx'
import { rowsQuery } from '../api.ts'
import { type Connectable, connectableQuery, KINDS } from '../connectable.tsx'
import { editWorkOrders } from '../edits.ts'
import { placeOf, rankSections } from '../excerpt.ts'
import { type Connected, codeOf, type WorkOrder } from '../work-order.ts'
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
  const about = `${workOrder.title} ${workOrder.markdown_content}`
  return (
    <section aria-label="Connected">
      <h2 className={css.head}>
        Connected {all.length > 0 && <span className={css.badge}>{all.length}</span>}
        <span className={css.grow} />
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
              workOrder={workOrder}
              projectId={projectId}
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
      </h2>
      {all.length > 0 && (
        <div className={css.card}>
          {all.map((one) => (
            <ConnectedOne
              key={one.resourceId}
              one={one}
              about={about}
              projectId={projectId}
              isOpen={open.has(one.resourceId)}
              onToggle={() => toggle(one.resourceId)}
              onDisconnect={() =>
                save(
                  `disconnected ${one.title ?? KINDS[one.resourceType][0]}`,
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

interface OneProps {
  one: Connected
  about: string
  projectId: string
  isOpen: boolean
  onToggle(): void
  onDisconnect(): void
}

function ConnectedOne({ one, about, projectId, isOpen, onToggle, onDisconnect }: OneProps) {
  const { resourceType, resourceId, title, markdown_content: text } = one
  const [kind, Sign] = KINDS[resourceType]
  const number = useQuery({
    ...rowsQuery(projectId),
    enabled: resourceType === 'work_order',
    select: (rows) => rows.find(({ id }) => id === resourceId)?.work_order_number,
  }).data
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
          <strong>{number === undefined ? (title ?? kind) : `WO-${number} ${title ?? ''}`}</strong>
          <span className={css.kind}>{kind}</span>
        </button>
        {suggestions > 0 && (
          <span className={css.suggestions}>{suggestions === 1 ? '1 suggestion' : `${suggestions} suggestions`}</span>
        )}
        {number !== undefined && (
          <Link
            to="/p/$projectId/work-orders/$number"
            params={{ projectId, number: String(number) }}
            className={css.openLink}
          >
            Open
          </Link>
        )}
        <IconButton label={`Disconnect ${title ?? kind}`} small className={css.disconnect} onClick={onDisconnect}>
          <IconUnlink size={15} stroke={1.75} />
        </IconButton>
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

interface PickerProps {
  workOrder: WorkOrder
  projectId: string
  onPick(one: Connectable): void
}

/** Everything that can be connected. What is connected already is ticked, and choosing it again disconnects it. */
function ConnectPicker({ workOrder, projectId, onPick }: PickerProps) {
  const [text, setText] = useState('')
  const found = useQuery(connectableQuery(projectId, text.trim())).data
  const rows = useQuery(rowsQuery(projectId)).data
  const all = useMemo(() => {
    const wanted = text.trim().toLowerCase()
    const others = (rows ?? [])
      .filter(({ id }) => id !== workOrder.id)
      .map(
        (row): Connectable => ({
          resourceType: 'work_order',
          resourceId: row.id,
          title: `${codeOf(row)} ${row.title}`,
        }),
      )
      .filter(({ title }) => title.toLowerCase().includes(wanted))
      .slice(0, 50)
    return [...(found ?? []), ...others]
  }, [found, rows, text, workOrder.id])
  return (
    <Pick
      placeholder="Connect a requirement, blueprint, theme…"
      onText={setText}
      selected={workOrder.connectedContext.map(({ resourceId }) => resourceId)}
      options={all.map(({ resourceType, resourceId, title }) => {
        const [kind, Sign] = KINDS[resourceType]
        return { value: resourceId, label: title, icon: <Sign size={16} stroke={1.75} aria-label={kind} /> }
      })}
      onPick={(value) => {
        const one = all.find(({ resourceId }) => resourceId === value)
        if (one) onPick(one)
      }}
    />
  )
}
