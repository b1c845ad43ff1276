export interface Wanted {
  id: number
  code: string
  isDark: boolean
}

export interface Drawn {
  id: number
  svg?: string
  width?: number
  /** Why it cannot be drawn. */
  fault?: string
}
