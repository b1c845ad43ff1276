import { useRef } from 'react'

/**
 * The order in which somebody goes through things, one after the other. It stays the same while they do: whoever completes
 * one goes on with the next, although the list has moved it away. As long as the list is not whole, it follows the list.
 */
export function useSteadyOrder(ids: string[], currentId: string | undefined, isWhole = true): string[] {
  const order = useRef<string[]>([])
  const wasWhole = useRef(true)
  const isKnown = currentId !== undefined && wasWhole.current && order.current.includes(currentId)
  if (!isKnown && currentId !== undefined && ids.includes(currentId)) {
    order.current = ids
    wasWhole.current = isWhole
  }
  return order.current
}
