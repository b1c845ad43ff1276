import { Chip, ChipText } from '../ui/Chip.tsx'
import { IconFlag } from '../ui/icons.ts'
import { type Phase, phaseName } from './work-order.ts'

export const PhaseChip = ({ phase }: { phase: Phase }) => (
  <Chip>
    <IconFlag size={13} stroke={1.75} />
    <ChipText>{phaseName(phase)}</ChipText>
  </Chip>
)
