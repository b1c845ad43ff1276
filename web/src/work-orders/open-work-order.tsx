import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useCallback } from 'react'

/** From this width on, there is room for a work order beside the list. */
export const WIDE = '(min-width: 1200px)'
/** A phone. */
export const NARROW = '(max-width: 720px)'
const isWide = () => matchMedia(WIDE).matches

/** Opens a work order beside the list, or as a page where there is no room. */
export function useOpenWorkOrder(projectId: string) {
  const navigate = useNavigate()
  return useCallback(
    (number: number, { asPage = false, replace = false } = {}) => {
      if (isWide() && !asPage)
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
