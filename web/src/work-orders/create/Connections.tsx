import { ConnectPicker } from '../../connections/ConnectPicker.tsx'
import { CONNECTABLE, type Connectable } from '../../connections/connectable.ts'
import { KINDS } from '../../lib/kinds.ts'
import { IconPlus, IconX } from '../../ui/icons.ts'
import { PopUp } from '../../ui/PopUp.tsx'
import css from './Connections.module.css'

interface Props {
  projectId: string
  connected: Connectable[]
  onChange(connected: Connectable[]): void
}

/** What the new work order will be connected to. */
export function Connections({ projectId, connected, onChange }: Props) {
  const without = (id: string) => connected.filter(({ resourceId }) => resourceId !== id)
  const ids = connected.map(({ resourceId }) => resourceId)
  return (
    <section aria-label="Connected">
      <h3 className={css.head}>Connected</h3>
      <div className={css.chips}>
        {connected.map(({ resourceType, resourceId, title }) => {
          const { name: kind, icon: Sign } = KINDS[resourceType]
          return (
            <span key={resourceId} className={css.chip}>
              <Sign size={15} stroke={1.75} />
              <strong dir="auto">{title}</strong>
              <span className={css.kind}>{kind}</span>
              <button type="button" aria-label={`Disconnect ${title}`} onClick={() => onChange(without(resourceId))}>
                <IconX size={13} stroke={1.75} />
              </button>
            </span>
          )
        })}
        <PopUp
          target={({ toggle, open }) => (
            <button type="button" className={css.connect} aria-expanded={open} onClick={toggle}>
              <IconPlus size={15} stroke={1.75} />
              Connect
            </button>
          )}
        >
          {(close) => (
            <ConnectPicker
              projectId={projectId}
              id=""
              kinds={CONNECTABLE}
              connected={ids}
              onPick={(one) => {
                close()
                onChange(ids.includes(one.resourceId) ? without(one.resourceId) : [...connected, one])
              }}
            />
          )}
        </PopUp>
      </div>
    </section>
  )
}
