export type Priority = 'no_priority' | 'low' | 'medium' | 'high' | 'urgent'

const LEVELS: Record<Priority, number> = { no_priority: 0, low: 1, medium: 2, high: 3, urgent: 3 }
const BARS = [
  { x: 1.5, height: 5 },
  { x: 6.25, height: 8 },
  { x: 11, height: 11 },
]

/** Three bars, more of them dark the higher the priority. Urgent is a red sign of its own. */
export function PriorityBars({ priority, size = 16 }: { priority: Priority; size?: number }) {
  if (priority === 'urgent')
    return (
      <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
        <rect x="1" y="1" width="14" height="14" rx="3.5" fill="var(--red)" />
        <path d="M8 4.500v4" stroke="var(--bg)" strokeWidth="2" strokeLinecap="round" />
        <circle cx="8" cy="11.5" r="1.15" fill="var(--bg)" />
      </svg>
    )
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {BARS.map(({ x, height }, index) => (
        <rect
          key={x}
          x={x}
          y={14 - height}
          width="3.5"
          height={height}
          rx="1.2"
          fill={index < LEVELS[priority] ? 'var(--ink-2)' : 'var(--faint)'}
        />
      ))}
    </svg>
  )
}
