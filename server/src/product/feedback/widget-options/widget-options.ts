export const POSITIONS = ['right', 'left'] as const
export const WIDGET_THEMES = ['auto', 'light', 'dark'] as const

/** How the widget looks on the pages of a project. */
export interface WidgetOptions {
  label: string
  position: (typeof POSITIONS)[number]
  /** Null for the color of Slipway. */
  accent: string | null
  theme: (typeof WIDGET_THEMES)[number]
  /** Whether people can attach pictures. */
  screenshots: boolean
}

export const DEFAULT_OPTIONS: WidgetOptions = {
  label: 'Feedback',
  position: 'right',
  accent: null,
  theme: 'auto',
  screenshots: true,
}
