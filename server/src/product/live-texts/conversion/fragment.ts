import type * as Y from 'yjs'

/** The name of the fragment that Tiptap uses. */
export const FIELD = 'default'

export const fragmentOf = (shared: Y.Doc) => shared.getXmlFragment(FIELD)
