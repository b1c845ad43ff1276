import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { connectionsQuery } from '../../connections/api.ts'
import { ConnectPicker } from '../../connections/ConnectPicker.tsx'
import { CONNECTABLE } from '../../connections/connectable.ts'
import { connect, disconnect } from '../../connections/edits.ts'
import { codeOf, hrefOf, KINDS } from '../../lib/kinds.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconPlus } from '../../ui/icons.ts'
import { PopUp } from '../../ui/PopUp.tsx'
import { type ArtifactUse, usesQuery } from '../api.ts'
import css from './Detail.module.css'

/** A theme is connected to work orders and to one feature only. */
const KINDS_TO_CONNECT = CONNECTABLE.filter((kind) => kind !== 'theme')

/** What refers to a file, with links in both directions. */
export function UsedIn({ projectId, id }: { projectId: string; id: string }) {
  const uses = useQuery(usesQuery(projectId, id)).data
  const connected = useQuery(connectionsQuery(projectId, id)).data ?? []
  const mayWrite = useMayWrite()
  return (
    <section className={css.part} aria-label="Used in">
      <h2 className={css.head}>
        Used in {uses && uses.length > 0 ? uses.length : ''}
        <span className={css.grow} />
        {mayWrite && (
          <PopUp
            place="bottom-end"
            target={({ toggle }) => (
              <IconButton label="Connect" small onClick={toggle}>
                <IconPlus size={15} stroke={1.75} />
              </IconButton>
            )}
          >
            {(close) => (
              <ConnectPicker
                projectId={projectId}
                id={id}
                kinds={KINDS_TO_CONNECT}
                connected={connected.map(({ resource_id }) => resource_id)}
                onPick={(one) => {
                  close()
                  const other = connected.find(({ resource_id }) => resource_id === one.resourceId)
                  if (other) disconnect({ projectId, id }, other)
                  else connect({ projectId, id }, one)
                }}
              />
            )}
          </PopUp>
        )}
      </h2>
      {uses?.length === 0 && <p className={css.none}>Nothing refers to it yet.</p>}
      <ul className={css.uses}>
        {uses?.map((use) => (
          <Use key={`${use.resource_id} ${use.place}`} projectId={projectId} use={use} />
        ))}
      </ul>
    </section>
  )
}

function Use({ projectId, use }: { projectId: string; use: ArtifactUse }) {
  const router = useRouter()
  const { resource_type: kind, resource_id: id, number, title, place, line } = use
  const { name, icon: Sign } = KINDS[kind]
  const href = hrefOf(router, projectId, { kind, id, number })
  const where = line !== null ? `${name}, line ${line}` : place === 'connection' ? name : `${name}, ${place}`
  const words = (
    <>
      <Sign size={16} stroke={1.75} aria-hidden />
      <span className={css.title} dir="auto">
        {[codeOf({ kind, number }), title].filter(Boolean).join(' ')}
      </span>
      <span className={css.where}>{where}</span>
    </>
  )
  return (
    <li>
      {href ? (
        <Link to={line === null || kind === 'artifact' ? href : `${href}?line=${line}`} className={css.use}>
          {words}
        </Link>
      ) : (
        <span className={css.use}>{words}</span>
      )}
    </li>
  )
}
