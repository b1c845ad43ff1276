import { useRouteContext } from '@tanstack/react-router'

/** Viewers read. What would be refused is not offered to them. */
export const useMayWrite = (): boolean =>
  useRouteContext({ from: '/signed-in/p/$projectId', select: ({ project }) => project.role !== 'viewer' })
