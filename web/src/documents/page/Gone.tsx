import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconFileText } from '../../ui/icons.ts'
import { TopBar } from '../../ui/TopBar.tsx'
import { KINDS, type Kind } from '../kind.ts'

/** What an address without a document shows. */
export function Gone({ kind }: { kind: Kind }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  return (
    <>
      <TopBar path={<strong>{KINDS[kind].title}</strong>} />
      <EmptyState
        icon={<IconFileText size={22} stroke={1.75} />}
        title={`There is no such ${KINDS[kind].one}`}
        action={
          <Button
            look="primary"
            onClick={() => void navigate({ to: `/p/$projectId/${kind}`, params: { projectId: project.id } })}
          >
            Show all {KINDS[kind].title.toLowerCase()}
          </Button>
        }
      >
        It was deleted, or the address is mistyped.
      </EmptyState>
    </>
  )
}
