const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}([ \t]*;[\t\x20-\x7e]{0,100})?$/

/** Returns the sent media type if it is valid in a header, otherwise that of unknown bytes. */
export const usableMediaType = (sent: string | undefined) =>
  sent !== undefined && MEDIA_TYPE.test(sent) ? sent : 'application/octet-stream'

/** Every type that a browser runs as a script or applies as a style. */
const RUNS = /^(text|application)\/((x-)?(java|ecma)script|javascript1\.\d|jscript|livescript|css)\s*(;|$)/i

/** Returns the type to send a user's file with. None can be a script or a style, so no page can be made to run one. */
export const inertMediaType = (stored: string) => {
  // Older versions stored values that may not be valid in a header.
  const type = usableMediaType(stored)
  return RUNS.test(type) ? 'text/plain; charset=utf-8' : type
}
