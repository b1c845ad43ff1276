import { EmptyState } from '../ui/EmptyState.tsx'
import { IconStack2 } from '../ui/icons.ts'

export function NoProject() {
  return (
    <EmptyState
      icon={<IconStack2 size={22} />}
      title="You are not a member of a project yet"
      command={'npm run -s admin -- project add "Harbor Checkout"'}
    >
      A project holds requirements, blueprints, work orders and feedback. Ask an admin to add you, or add a project on
      the server.
    </EmptyState>
  )
}
