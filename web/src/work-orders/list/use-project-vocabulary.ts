import { useRouteContext } from '@tanstack/react-router'
import { useVocabulary } from '../use-vocabulary.ts'

export const useProjectVocabulary = () => {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  return useVocabulary(project.id)
}
