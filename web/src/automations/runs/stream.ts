import { useEffect } from 'react'
import { followAgent, sayingOf } from '../../agents/follow.ts'
import { queryClient } from '../../lib/query-client.ts'
import { refreshSoon } from '../../lib/refresh-soon.ts'
import { activityKey, automationsKey, type RunEvent, type RunPage, runKey } from '../api.ts'
import { isActive } from './known-runs.ts'

const pathOf = (id: string) => `automation_runs/${id}/stream`

/** What the agent of a run is saying right now. */
export const sayingIn = (id: string) => sayingOf(pathOf(id))

/** Follows a run while it goes on. What it costs and has changed is read again after each of its steps. */
export function useRunStream(projectId: string, run: RunPage, events: RunEvent[] | undefined): void {
  const { id } = run
  const isOn = isActive(run) && events !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream itself goes on from where it was opened.
  useEffect(() => {
    if (!isOn) return
    const readAgain = () => void refreshSoon([runKey(projectId, id)])
    return followAgent<RunEvent>({
      path: pathOf(id),
      projectId,
      after: events.at(-1)?.number ?? 0,
      onEntry(event) {
        queryClient.setQueryData<RunEvent[]>(activityKey(projectId, id), (old = []) =>
          event.number === (old.at(-1)?.number ?? 0) + 1 ? [...old, event] : old,
        )
        readAgain()
        return event.kind !== 'user'
      },
      onStatus: readAgain,
      onEnd: () => queryClient.invalidateQueries({ queryKey: automationsKey(projectId) }),
    })
  }, [projectId, id, isOn])
}
