/**
 * Returns the `Content-Disposition` of a download: the name in RFC 8187 encoding, and an ASCII fallback. Nothing in a
 * name can end the header or start another.
 */
export function attachmentHeader(name: string): string {
  const plain = name.normalize('NFC').replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
