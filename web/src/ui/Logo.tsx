/** The boat on its slipway. */
export function Logo({ size = 44 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 44 44" aria-hidden="true">
      <rect width="44" height="44" rx="11" fill="var(--accent)" />
      <path d="m25 8.6 6.6 10.6-9.4-1.600z" fill="#fff" opacity=".72" />
      <path d="M11 17.4 33.8 22c-.8 4.6-4 7.4-8.6 7-5.6-.4-12.4-4-14.2-11.600z" fill="#fff" />
      <path d="m9 27.6 28.4 8" stroke="#fff" strokeOpacity=".62" strokeWidth="2.2" strokeLinecap="round" />
    </svg>
  )
}
