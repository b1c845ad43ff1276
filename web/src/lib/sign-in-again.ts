/** Leaves everything that is shown for the sign-in. What waits is sent after it. */
export const signInAgain = () =>
  location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
