import type { ButtonHTMLAttributes } from 'react'
import { IconDotsVertical } from '../ui/icons.ts'
import { codeOf, type WorkOrderRow } from './work-order.ts'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  row: WorkOrderRow
}

/** Opens the menu of a work order on narrow screens, where nobody clicks with the right button. The list listens. */
export const MenuDots = ({ row, ...rest }: Props) => (
  <button type="button" aria-haspopup="menu" aria-label={`More about ${codeOf(row)}`} {...rest}>
    <IconDotsVertical size={18} stroke={1.75} />
  </button>
)
