import type { QueryKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/** How writes show a change of one thing in a list that a query has read. */
export function shownList<T>(keyOf: (projectId: string) => QueryKey, idOf: (one: T) => string) {
  const set = (projectId: string, next: (all: T[]) => T[]) =>
    queryClient.setQueryData<T[]>(keyOf(projectId), (all) => all && next(all))
  const reload = (projectId: string) => void queryClient.invalidateQueries({ queryKey: keyOf(projectId) })
  const put = (projectId: string, one: T) =>
    set(projectId, (all) => {
      const isKnown = all.some((other) => idOf(other) === idOf(one))
      return isKnown ? all.map((other) => (idOf(other) === idOf(one) ? one : other)) : [...all, one]
    })
  const drop = (projectId: string, one: T) => set(projectId, (all) => all.filter((other) => idOf(other) !== idOf(one)))
  return {
    reload,
    /** The handlers of a write. `after` is how the thing looks once it is saved, or null if it is gone. */
    change: <Input>(before: (input: Input) => T, after: (input: Input) => T | null) => ({
      show(input: Input, projectId: string) {
        const next = after(input)
        if (next === null) drop(projectId, before(input))
        else put(projectId, next)
      },
      hide(input: Input, projectId: string) {
        put(projectId, before(input))
        reload(projectId)
      },
      saved: (_: unknown, __: Input, { projectId }: { projectId: string }) => reload(projectId),
    }),
  }
}
