const positions = new Map<string, string>()

/** How far this tab has heard what changes in a project. */
export const positionIn = (projectId: string): string | undefined => positions.get(projectId)

export const setPosition = (projectId: string, position: string) => void positions.set(projectId, position)

/** Must be called before anything of the project is read, so that no change is missed between that and the stream. */
export function beginAt(projectId: string, position: string): void {
  if (!positions.has(projectId)) positions.set(projectId, position)
}
