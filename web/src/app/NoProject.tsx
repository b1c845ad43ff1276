import { Link } from '@tanstack/react-router'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconStack2 } from '../ui/icons.ts'
import { MODULES } from './find-module.ts'
import css from './NoProject.module.css'

const HELD = new Intl.ListFormat('en').format(
  MODULES.filter(({ count }) => count).map(({ title }) => title.toLowerCase()),
)

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
      A project holds {HELD}. Ask an admin for an invite link, or add a project on the server.
    </EmptyState>
  )
}
