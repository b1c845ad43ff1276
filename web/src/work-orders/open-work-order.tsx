import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useCallback } from 'react'
import { hasWidth, WITH_BESIDE } from '../lib/breakpoints.ts'

/** Opens a work order beside the list, or as a page where there is no room. */
export function useOpenWorkOrder(projectId: string) {
  const navigate = useNavigate()
  return useCallback(
    (number: number, { asPage = false, replace = false } = {}) => {
      if (hasWidth(WITH_BESIDE) && !asPage)
        void navigate({ to: '.', search: (old) => ({ ...old, beside: String(number) }), replace })
      else
        void navigate({
          to: '/p/$projectId/work-orders/$number',
          params: { projectId, number: String(number) },
          replace,
        })
    },
    [navigate, projectId],
  )
}

interface Props {
  projectId: string
  number: number
  className?: string | undefined
  draggable?: boolean
  children: ReactNode
}

/**
 * Has the address of the page, for a new tab. A plain click opens the work order beside the list. The link of the router
 * does more than that, and takes too long for rows that appear while someone scrolls.
 */
export function WorkOrderLink({ projectId, number, className, draggable, children }: Props) {
  const open = useOpenWorkOrder(projectId)
  const click = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    open(number)
  }
  return (
    <a href={`/p/${projectId}/work-orders/${number}`} className={className} draggable={draggable} onClick={click}>
      {children}
    </a>
  )
}
