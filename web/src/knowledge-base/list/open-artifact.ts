import { useNavigate } from '@tanstack/react-router'
import { hasWidth, WITH_BESIDE } from '../../lib/breakpoints.ts'
import type { Row } from '../artifact.ts'
import type { KnowledgeSearch } from '../search.ts'

/** Opens a folder; a file beside the list, or as a page where there is no room for it. */
export function useOpenArtifact(projectId: string) {
  const navigate = useNavigate()
  return ({ id, type }: Pick<Row, 'id' | 'type'>, { asPage = false, replace = false } = {}) => {
    if (type !== 'folder' && !asPage && hasWidth(WITH_BESIDE))
      return void navigate({ to: '.', search: (old: KnowledgeSearch) => ({ ...old, beside: id }), replace } as never)
    const keep = ({ layout, order }: KnowledgeSearch) => (type === 'folder' ? { layout, order } : {})
    void navigate({
      to: '/p/$projectId/knowledge-base/$artifactId',
      params: { projectId, artifactId: id },
      search: keep as never,
      replace,
    })
  }
}
