import { Link, useRouteContext, useRouter } from '@tanstack/react-router'
import { hrefOf } from '../lib/kinds.ts'
import { Button } from '../ui/Button.tsx'
import { IconAlertTriangle } from '../ui/icons.ts'
import { PopUp } from '../ui/PopUp.tsx'
import type { Connection } from './api.ts'
import { confirm } from './edits.ts'
import { nameOf } from './names.ts'
import css from './Suspect.module.css'

interface Props {
  /** The end that is on the screen. */
  own: { id: string; type: Connection['resource_type']; title: string }
  other: Connection
  mayWrite: boolean
}

/** Marks a connection whose documents changed since someone last said that it fits, and lets them say so again. */
export function Suspect({ own, other, mayWrite }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const router = useRouter()
  if (other.changed.length === 0) return null
  return (
    <PopUp
      place="bottom-end"
      target={({ toggle, open }) => (
        <button
          type="button"
          className={css.mark}
          aria-expanded={open}
          aria-label={`Suspect: a document changed since ${nameOf(other)} was confirmed`}
          title="Suspect: changed since it was confirmed"
          onClick={toggle}
        >
          <IconAlertTriangle size={14} stroke={2} />
        </button>
      )}
    >
      {(close) => (
        <div className={css.box}>
          <h3>Does it still fit?</h3>
          {other.changed.map(({ document_id, confirmed_version, version_number }) => {
            const isOwn = document_id === own.id
            const kind = isOwn ? own.type : other.resource_type
            const page = hrefOf(router, project.id, { kind, id: document_id, number: null })
            return (
              <p key={document_id}>
                <strong>{isOwn ? own.title : other.title}</strong> was confirmed at version {confirmed_version} and is
                at version {version_number} now.{' '}
                {page && (
                  <Link
                    to={`${page}/history` as string}
                    search={{ a: String(confirmed_version), b: String(version_number) } as never}
                    onClick={() => close()}
                  >
                    See what changed
                  </Link>
                )}
              </p>
            )
          })}
          {mayWrite && (
            <Button
              look="primary"
              onClick={() => {
                close()
                confirm({ projectId: project.id, id: own.id }, other)
              }}
            >
              Confirm
            </Button>
          )}
        </div>
      )}
    </PopUp>
  )
}
