/**
 * `Content-Disposition` of a download: the name as RFC 8187 writes it, and one in ASCII for those who do not read that.
 * Nothing that a name contains can end the header or begin another.
 */
export function attachmentNamed(name: string): string {
  const plain = name.normalize('NFC').replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
