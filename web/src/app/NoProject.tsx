import { Link } from '@tanstack/react-router'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconStack2 } from '../ui/icons.ts'
import css from './NoProject.module.css'

export function NoProject() {
  return (
    <EmptyState
      icon={<IconStack2 size={22} />}
      title="You are not a member of a project yet"
      action={
        <Link to="/settings/account" className={css.account}>
          Your account
        </Link>
      }
      command={'npm run -s admin -- project add "Harbor Checkout"'}
    >
      A project holds requirements, blueprints, work orders and feedback. Ask an admin for an invite link, or add a
      project on the server.
    </EmptyState>
  )
}
