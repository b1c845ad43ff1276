import { queryClient } from '../../lib/query-client.ts'
import { countQuery, type Tree, treeQuery } from '../api.ts'
import type { Kind } from '../kind.ts'

export function showTree(projectId: string, kind: Kind, change: (tree: Tree) => Tree): void {
  queryClient.setQueryData(treeQuery(projectId, kind).queryKey, (tree) => tree && change(tree))
}

export const readTree = (projectId: string, kind: Kind): Promise<Tree> =>
  queryClient.fetchQuery({ ...treeQuery(projectId, kind), staleTime: 0 })

export async function reloadTree(projectId: string, kind: Kind): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: countQuery(projectId, kind).queryKey })
  await queryClient.invalidateQueries({ queryKey: treeQuery(projectId, kind).queryKey })
}
