/**
 * Notes where the person is. What it returns says later whether they are still there and write nowhere else, so that
 * something may be opened for them.
 */
export function noteHere(): () => boolean {
  const { pathname } = location
  const begun = document.activeElement
  return () => {
    const active = document.activeElement
    const isElsewhere =
      active !== begun && active?.matches('input, textarea, [contenteditable="true"], [role="dialog"] *')
    return location.pathname === pathname && !isElsewhere
  }
}
