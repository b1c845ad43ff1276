import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formerMembersQuery, membersQuery } from '../people/members.ts'
import { labelsQuery, phasesQuery } from './api.ts'
import type { Vocabulary } from './properties.tsx'
import { isNew } from './work-order.ts'

export function useVocabulary(projectId: string): Vocabulary {
  const phases = useQuery(phasesQuery(projectId)).data
  const labels = useQuery(labelsQuery(projectId)).data
  const members = useQuery(membersQuery(projectId)).data
  const former = useQuery(formerMembersQuery(projectId)).data
  return useMemo(
    () => ({
      // Nothing can refer to what the server does not know yet.
      phases: (phases ?? []).filter((one) => !isNew(one)),
      labels: (labels ?? []).filter((one) => !isNew(one)),
      members: members ?? [],
      former: former ?? [],
    }),
    [phases, labels, members, former],
  )
}
