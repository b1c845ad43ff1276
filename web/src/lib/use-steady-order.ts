import { useRef } from 'react'

/**
 * The order in which somebody goes through things, one after the other. It stays the same while they do: whoever completes
 * one goes on with the next, although the list has moved it away.
 */
export function useSteadyOrder(ids: string[], currentId: string | undefined): string[] {
  const order = useRef<string[]>([])
  const isKnown = currentId !== undefined && order.current.includes(currentId)
  if (!isKnown && currentId !== undefined && ids.includes(currentId)) order.current = ids
  return order.current
}
