/**
 * Judges addresses by the parser of the browser, which removes tabs and line breaks and takes a backslash for a slash. A
 * pattern would be fooled: `//host`, `/\host` and a tab between two slashes all lead to another host.
 */
const parse = (address: string, base: string) => (URL.canParse(address, base) ? new URL(address, base) : undefined)

/** Whether a link may have it: others run code or open files. */
export const isSafeAddress = (address: string) =>
  /^(https?|mailto):$/.test(parse(address, 'https://own.invalid/')?.protocol ?? '')

/** Whether it opens a page of another site. */
export function leadsElsewhere(address: string, here = location.origin): boolean {
  const url = parse(address, here)
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin !== new URL(here).origin
}

/** The path of this server that an address names, for a person who is sent on. Undefined if it is anything else. */
export function ownPath(address: unknown, here = location.origin): string | undefined {
  if (typeof address !== 'string' || !address.startsWith('/') || leadsElsewhere(address, here)) return undefined
  const url = parse(address, here)
  return url && url.pathname + url.search + url.hash
}
