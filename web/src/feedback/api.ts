/** What every query of the module begins with, so that a change reads all that is shown again. */
export const feedbackKey = (projectId: string) => [projectId, 'feedback'] as const
