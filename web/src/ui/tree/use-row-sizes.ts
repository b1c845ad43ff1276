import { useMediaQuery } from '@mantine/hooks'

const FOR_POINTERS = { rowPx: 29, groupPx: 38 }
const FOR_FINGERS = { rowPx: 45, groupPx: 52 }

/** How high the lines of the tree are. */
export const useRowSizes = () =>
  useMediaQuery('(max-width: 720px)', undefined, { getInitialValueInEffect: false }) ? FOR_FINGERS : FOR_POINTERS
