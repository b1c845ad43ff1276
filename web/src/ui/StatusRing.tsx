export type Status = 'backlog' | 'ready' | 'in_progress' | 'in_review' | 'blocked' | 'completed'

const COLORS: Record<Status, string> = {
  backlog: 'var(--gray)',
  ready: 'var(--blue)',
  in_progress: 'var(--amber)',
  in_review: 'var(--violet)',
  blocked: 'var(--red)',
  completed: 'var(--green)',
}
const TURN = 2 * Math.PI * 2

/** The status of work at a glance: how full the ring is, and its colour. */
export function StatusRing({ status, size = 16 }: { status: Status; size?: number }) {
  const color = COLORS[status]
  if (status === 'completed')
    return (
      <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="7.2" fill={color} />
        <path
          d="m5 8.2 2.1 2.100L11.1 6"
          fill="none"
          stroke="var(--bg)"
          strokeWidth="1.7"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    )
  const part = status === 'in_progress' ? 0.5 : status === 'in_review' ? 0.75 : 0
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke={color} aria-hidden="true">
      <circle cx="8" cy="8" r="6.3" strokeWidth="1.7" strokeDasharray={status === 'backlog' ? '1.9 1.4' : undefined} />
      {part > 0 && (
        <circle
          cx="8"
          cy="8"
          r="2"
          strokeWidth="4"
          strokeDasharray={`${TURN * part} ${TURN}`}
          transform="rotate(-90 8 8)"
        />
      )}
      {status === 'blocked' && <path d="M5 8h6" strokeWidth="1.8" strokeLinecap="round" />}
    </svg>
  )
}
