import { openAddress } from './navigate.ts'

/** Opens a new conversation about something. Its link begins the first message. */
export function askAbout(projectId: string, { name, href }: { name: string; href: string }): void {
  const link = `[${name.replaceAll(/[[\]\\]/g, '')}](${href})`
  openAddress(`/p/${projectId}/conversations/new?${new URLSearchParams({ about: link })}`)
}
