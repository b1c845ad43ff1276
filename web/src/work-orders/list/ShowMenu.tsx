import { IconEye } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/Menu.tsx'
import { Tool } from '../../ui/toolbar/Toolbar.tsx'
import { CARD_PART_NAMES, CARD_PARTS, type CardPart } from '../work-order.ts'

interface Props {
  parts: ReadonlySet<CardPart>
  /** Whether it is known when the work orders were changed. */
  hasTimes: boolean
  onChange(parts: ReadonlySet<CardPart>): void
}

/** What the cards of the board show. */
export function ShowMenu({ parts, hasTimes, onChange }: Props) {
  const offered = CARD_PARTS.filter((part) => hasTimes || part !== 'updated')
  return (
    <MenuButton
      label="What cards show"
      place="bottom-end"
      target={({ toggle }) => (
        <Tool icon={<IconEye size={16} stroke={1.75} />} name={`Show: ${nameOf(parts)}`} isLate onClick={toggle} />
      )}
      options={offered.map((value) => ({
        value,
        label: CARD_PART_NAMES[value],
        divided: value === 'comments',
        check: 'checkbox',
        checked: parts.has(value),
      }))}
      onPick={(value) => onChange(new Set(CARD_PARTS.filter((part) => parts.has(part) !== (part === value))))}
    />
  )
}

/** Names the chips below the title; the head of a card only where there are none. */
function nameOf(parts: ReadonlySet<CardPart>): string {
  const names = CARD_PARTS.filter((part) => parts.has(part))
  const chips = names.filter((part) => part !== 'comments' && part !== 'assignee')
  const text = (chips.length > 0 ? chips : names).map((part) => CARD_PART_NAMES[part].toLowerCase()).join(', ')
  return text === '' ? 'Titles' : text.charAt(0).toUpperCase() + text.slice(1)
}
