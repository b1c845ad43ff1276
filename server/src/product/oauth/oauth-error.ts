/** A refusal in the words of OAuth. Programs read the code; the description is for the person who debugs them. */
export class OAuthError extends Error {
  readonly code: string
  readonly status: number

  constructor(code: string, description: string, status = 400) {
    super(description)
    this.code = code
    this.status = status
  }

  toJSON() {
    // RFC 6749 allows printable ASCII without quotes and backslashes.
    return { error: this.code, error_description: this.message.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?') }
  }
}
