import { Link, useRouteContext } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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
  const { resource_type, resource_id, number } = to
  if (resource_type === 'requirements_document' || resource_type === 'blueprint') {
    const path = resource_type === 'blueprint' ? 'blueprints' : 'requirements'
    return (
      <Link
        to={`/p/$projectId/${path}/$documentId`}
        params={{ projectId: project.id, documentId: resource_id }}
        className={className}
        title={title}
      >
        {children}
      </Link>
    )
  }
  if (resource_type === 'work_order' && number !== null)
    return (
      <Link
        to="/p/$projectId/work-orders/$number"
        params={{ projectId: project.id, number: String(number) }}
        className={className}
        title={title}
      >
        {children}
      </Link>
    )
  return (
    <span className={className} title={title}>
      {children}
    </span>
  )
}
