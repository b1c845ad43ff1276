import { useNavigate } from '@tanstack/react-router'
import { addShortcuts, useShortcut } from '../../lib/shortcuts.ts'
import { MODULES } from '../find-module.ts'

const REACHED = MODULES.filter(({ goKey }) => goKey)

addShortcuts(
  REACHED.map(({ id, goKey, title }) => ({ id: `go-${id}`, keys: `g ${goKey}`, group: 'Go to', name: title })),
)

/** Opens each module by its keys. */
export const GoKeys = ({ projectId }: { projectId: string }) =>
  REACHED.map((module) => <GoKey key={module.id} module={module} projectId={projectId} />)

function GoKey({ module, projectId }: { module: (typeof MODULES)[number]; projectId: string }) {
  const navigate = useNavigate()
  useShortcut(`go-${module.id}`, () => void navigate({ to: `/p/$projectId/${module.path}`, params: { projectId } }))
  return null
}
