import { IconUser, IconWorld } from '../ui/icons.ts'

/** Whether a report came through a key, or a member heard it. */
export const SourceSign = ({ isByHand }: { isByHand: boolean }) => {
  const Sign = isByHand ? IconUser : IconWorld
  return <Sign size={15} stroke={1.75} aria-hidden />
}
