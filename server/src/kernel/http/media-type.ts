const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}([ \t]*;[\t\x20-\x7e]{0,100})?$/

/** Returns the sent media type if it is valid in a header, otherwise that of unknown bytes. */
export const usableMediaType = (sent: string | undefined) =>
  sent !== undefined && MEDIA_TYPE.test(sent) ? sent : 'application/octet-stream'
