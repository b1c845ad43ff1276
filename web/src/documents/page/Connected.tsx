import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type Connection, connectionsQuery } from '../../connections/api.ts'
import { ConnectionLink } from '../../connections/ConnectionLink.tsx'
import { ConnectPicker } from '../../connections/ConnectPicker.tsx'
import { confirm, connect, disconnect } from '../../connections/edits.ts'
import { codeOfConnection, nameOf } from '../../connections/names.ts'
import { Suspect } from '../../connections/Suspect.tsx'
import { inWords, KINDS as RESOURCES } from '../../lib/kinds.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconAlertTriangle, IconLink, IconPlus, IconUnlink } from '../../ui/icons.ts'
import { PopUp } from '../../ui/PopUp.tsx'
import { type Status, StatusRing } from '../../ui/StatusRing.tsx'
import { KINDS, type Kind } from '../kind.ts'
import css from './Connected.module.css'

interface Props {
  kind: Kind
  document: { id: string; title: string }
}

const CONNECTABLE = {
  requirements: ['blueprint', 'work_order', 'theme', 'requirements_document', 'artifact'],
  blueprints: ['requirements_document', 'work_order', 'blueprint', 'artifact'],
} satisfies Record<Kind, Connection['resource_type'][]>

/** What belongs to the document: the other half of its feature, other documents, work orders and themes. */
export function Connected({ kind, document }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { data: all, error } = useQuery(connectionsQuery(project.id, document.id))
  const mayWrite = useMayWrite()
  const place = { projectId: project.id, id: document.id }
  const own = { id: document.id, type: KINDS[kind].resource, title: document.title }
  const suspects = all?.filter(({ changed }) => changed.length > 0) ?? []
  if (!all && !error) return null
  if (all?.length === 0 && !mayWrite) return null
  return (
    <nav aria-label="Connected" className={css.connected}>
      <div className={css.headLine}>
        <h2 className={css.head}>Connected</h2>
        {mayWrite && suspects.length > 1 && (
          <button type="button" className={css.all} onClick={() => confirm(place, ...suspects)}>
            Confirm all {suspects.length}
          </button>
        )}
      </div>
      {!all && <p className={css.fault}>Could not be loaded. {error?.message}</p>}
      {all?.map((one) => (
        <div key={one.resource_id} className={css.entry}>
          <ConnectionLink to={one} className={css.link} title={`${RESOURCES[one.resource_type].name}: ${nameOf(one)}`}>
            <Entry one={one} />
          </ConnectionLink>
          {mayWrite && !one.is_fixed && (
            <IconButton
              small
              label={`Disconnect ${nameOf(one)}`}
              className={css.remove}
              onClick={() => disconnect(place, one)}
            >
              <IconUnlink size={14} stroke={1.75} />
            </IconButton>
          )}
          <Suspect own={own} other={one} mayWrite={mayWrite} />
        </div>
      ))}
      {mayWrite && all && (
        <PopUp
          target={({ toggle, open }) => (
            <button type="button" className={css.add} aria-expanded={open} onClick={toggle}>
              <IconPlus size={15} stroke={1.75} />
              Connect
            </button>
          )}
        >
          {(close) => (
            <ConnectPicker
              projectId={project.id}
              id={document.id}
              kinds={CONNECTABLE[kind]}
              connected={all.map(({ resource_id }) => resource_id)}
              onPick={(picked) => {
                close()
                const known = all.find(({ resource_id }) => resource_id === picked.resourceId)
                if (!known) connect(place, picked)
                else if (!known.is_fixed) disconnect(place, known)
              }}
            />
          )}
        </PopUp>
      )}
    </nav>
  )
}

function Entry({ one }: { one: Connection }) {
  const Sign = RESOURCES[one.resource_type].icon
  return (
    <>
      <Sign size={15} stroke={1.75} />
      <span className={css.name}>{codeOfConnection(one) ?? one.title}</span>
      {one.status &&
        (one.resource_type === 'work_order' ? (
          <>
            <StatusRing status={one.status as Status} size={14} />
            <span className="sr-only">{inWords(one.status)}</span>
          </>
        ) : (
          <span className={css.state}>{inWords(one.status)}</span>
        ))}
    </>
  )
}

/** The same where the page has no room beside the text. */
export function ConnectedButton({ kind, document }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const all = useQuery(connectionsQuery(project.id, document.id)).data ?? []
  const suspects = all.filter(({ changed }) => changed.length > 0).length
  return (
    <PopUp
      place="bottom-end"
      target={({ toggle, open }) => (
        <button
          type="button"
          className={css.button}
          aria-expanded={open}
          aria-label={`Connected: ${all.length}${suspects > 0 ? `, ${suspects} suspect` : ''}`}
          title="Connected"
          onClick={toggle}
        >
          <IconLink size={16} stroke={1.75} />
          {all.length}
          {suspects > 0 && <IconAlertTriangle size={13} stroke={2} className={css.warning} />}
        </button>
      )}
    >
      {() => (
        <div className={css.popUp}>
          <Connected kind={kind} document={document} />
        </div>
      )}
    </PopUp>
  )
}
