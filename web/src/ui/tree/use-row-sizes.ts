import { PHONE, useWidth } from '../../lib/breakpoints.ts'

const FOR_POINTERS = { rowPx: 29, groupPx: 38 }
const FOR_FINGERS = { rowPx: 45, groupPx: 52 }

/** How high the lines of the tree are. */
export const useRowSizes = () => (useWidth(PHONE) ? FOR_FINGERS : FOR_POINTERS)
