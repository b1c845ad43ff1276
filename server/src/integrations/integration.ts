/** A server of tools that a member has connected. What it takes to reach it never leaves the slice. */
export interface Integration {
  id: string
  displayName: string
}
