/** For code outside the tree of components. The router imports the screens, so it is loaded when it is needed. */
export async function openWorkOrder(projectId: string, number: number): Promise<void> {
  const { router } = await import('../app/router.tsx')
  await router.navigate({ to: '/p/$projectId/work-orders/$number', params: { projectId, number: String(number) } })
}
