import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { labelsQuery, membersQuery, phasesQuery } from './api.ts'
import type { Vocabulary } from './properties.tsx'

export function useVocabulary(projectId: string): Vocabulary {
  const phases = useQuery(phasesQuery(projectId)).data
  const labels = useQuery(labelsQuery(projectId)).data
  const members = useQuery(membersQuery(projectId)).data
  return useMemo(
    () => ({ phases: phases ?? [], labels: labels ?? [], members: members ?? [] }),
    [phases, labels, members],
  )
}
