/** Which suggestions are one's own: those one may still write in, or take back by deleting them. */
export interface OwnSuggestions {
  has(id: string): boolean
  add(id: string): void
}
