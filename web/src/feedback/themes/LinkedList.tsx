import { Link } from '@tanstack/react-router'
import type { Connection } from '../../connections/api.ts'
import { ConnectPicker } from '../../connections/ConnectPicker.tsx'
import { connect, disconnect } from '../../connections/edits.ts'
import { inWords } from '../../lib/kinds.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { IconFileText, IconPlus, IconUnlink } from '../../ui/icons.ts'
import { PopUp } from '../../ui/PopUp.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import type { ThemeRow } from './api.ts'
import css from './LinkedList.module.css'
import detail from './ThemeDetail.module.css'

/** The feature and the work orders of a theme. If there is room, titles are whole, and a line below says what they are. */
export function LinkedList({ row, projectId, isTall = false }: { row: ThemeRow; projectId: string; isTall?: boolean }) {
  const mayWrite = useMayWrite()
  const place = { projectId, id: row.id }
  const linked = [...(row.feature ? [row.feature.id] : []), ...row.work_orders.map(({ id }) => id)]
  return (
    <section aria-label="Linked" className={detail.part}>
      <h2 className={detail.partHead}>
        Linked
        {mayWrite && (
          <PopUp
            place="bottom-end"
            target={({ toggle, open }) => (
              <button type="button" className={css.add} aria-expanded={open} onClick={toggle}>
                <IconPlus size={14} stroke={2} /> Link
              </button>
            )}
          >
            {(close) => (
              <ConnectPicker
                projectId={projectId}
                id={row.id}
                kinds={['work_order', 'requirements_document']}
                connected={linked}
                onPick={(one) => {
                  close()
                  if (!linked.includes(one.resourceId)) connect(place, one)
                }}
              />
            )}
          </PopUp>
        )}
      </h2>
      {linked.length === 0 && <p className={detail.none}>Nothing is linked yet.</p>}
      <ul className={css.linked} data-tall={isTall || undefined}>
        {row.feature && (
          <li>
            <IconFileText size={16} stroke={1.75} />
            <Link
              to="/p/$projectId/requirements/$documentId"
              params={{ projectId, documentId: row.feature.id }}
              className={detail.linkedTitle}
            >
              {row.feature.title}
              {isTall && <span className={css.below}>Feature</span>}
            </Link>
            {!isTall && <span className={css.kind}>Feature</span>}
            {mayWrite && (
              <Unlink
                title={row.feature.title}
                onClick={() => disconnect(place, shown('requirements_document', row.feature!))}
              />
            )}
          </li>
        )}
        {row.work_orders.map((one) => (
          <li key={one.id}>
            <span title={inWords(one.status)}>
              <StatusRing status={one.status} />
            </span>
            {!isTall && <span className={detail.code}>{one.display_id}</span>}
            <Link
              to="/p/$projectId/work-orders/$number"
              params={{ projectId, number: one.display_id.slice(3) }}
              className={detail.linkedTitle}
            >
              {one.title}
              {isTall && (
                <span className={css.below}>
                  {one.display_id} · {inWords(one.status)}
                </span>
              )}
            </Link>
            <Avatar person={one.assignee} />
            {mayWrite && <Unlink title={one.title} onClick={() => disconnect(place, shown('work_order', one))} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

const Unlink = ({ title, onClick }: { title: string; onClick(): void }) => (
  <IconButton label={`Unlink “${title}”`} small className={css.unlink} onClick={onClick}>
    <IconUnlink size={15} stroke={1.75} />
  </IconButton>
)

const shown = (
  resource_type: Connection['resource_type'],
  { id, title }: { id: string; title: string },
): Connection => ({
  resource_type,
  resource_id: id,
  title,
  number: null,
  status: null,
  detail: null,
  version_number: null,
  is_fixed: false,
  changed: [],
  confirmed_at: null,
})
