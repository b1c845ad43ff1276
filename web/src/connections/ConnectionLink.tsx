import { Link, useRouteContext, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hrefOf } from '../lib/kinds.ts'
import type { Connection } from './api.ts'

interface Props {
  to: Connection
  className?: string | undefined
  title?: string
  children: ReactNode
}

/** Leads to what is connected, if it has a page. */
export function ConnectionLink({ to, className, title, children }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const router = useRouter()
  const href = hrefOf(router, project.id, { kind: to.resource_type, id: to.resource_id, number: to.number })
  if (href === undefined)
    return (
      <span className={className} title={title}>
        {children}
      </span>
    )
  return (
    <Link to={href} className={className} title={title}>
      {children}
    </Link>
  )
}
