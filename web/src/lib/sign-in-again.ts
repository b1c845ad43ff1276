let isSigningOut = false

/** Leaves everything that is shown for the sign-in, and comes back after it. What waits is sent then. */
export function signInAgain(): void {
  if (!isSigningOut) location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
}

/** While a person signs out, what is refused on the page leads nowhere: whoever signs in next does not begin there. */
export function expectSignOut(isExpected: boolean): void {
  isSigningOut = isExpected
}

/** Leaves for the sign-in for good. */
export function leaveForSignIn(): void {
  expectSignOut(true)
  location.assign('/sign-in')
}
