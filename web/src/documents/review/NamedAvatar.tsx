import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { Avatar } from '../../ui/Avatar.tsx'
import { membersQuery } from '../../work-orders/api.ts'

/** The avatar of somebody of whom only the name is known, as suggestions and comments have it. */
export function NamedAvatar({ name }: { name: string }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const person = useQuery(membersQuery(project.id)).data?.find((one) => one.name === name)
  return <Avatar person={person ?? { id: name, name, email: '' }} size={20} />
}
