import { Button } from '../../../ui/Button.tsx'
import { IconLink, IconX } from '../../../ui/icons.ts'
import { Kbd } from '../../../ui/Kbd.tsx'
import type { InboxReport } from '../api.ts'
import type { Decisions } from '../use-decisions.ts'
import css from './DecisionBar.module.css'

interface Props {
  report: InboxReport
  decisions: Decisions
  isPhone: boolean
  where: string
}

/** Link, new theme or dismiss, with the keys that do the same. */
export function DecisionBar({ report, decisions, isPhone, where }: Props) {
  const { suggested, link, newTheme, set } = decisions
  const isOpen = report.status === 'to_process'
  if (isPhone)
    return (
      <div className={css.phone} role="toolbar" aria-label="Decide">
        {isOpen && (
          <Button icon={<IconX size={16} stroke={1.75} />} onClick={() => set('dismiss')}>
            Dismiss
          </Button>
        )}
        <Button onClick={() => newTheme()}>New theme</Button>
        <Button look="primary" data-decision="link" icon={<IconLink size={16} stroke={1.75} />} onClick={link}>
          {suggested?.display_id ?? 'Theme'}
        </Button>
      </div>
    )
  return (
    <div className={css.bar} role="toolbar" aria-label="Decide">
      <Button look={isOpen ? 'primary' : 'outline'} data-decision="link" onClick={link}>
        <Kbd keys="1" onAccent={isOpen} /> {suggested ? `Link to ${suggested.display_id}` : 'Link to a theme'}
      </Button>
      <Button onClick={() => newTheme()}>
        <Kbd keys="2" /> New theme
      </Button>
      {isOpen && (
        <Button look="quiet" onClick={() => set('dismiss')}>
          <Kbd keys="3" /> Dismiss
        </Button>
      )}
      {!isOpen && report.themes.length === 0 && (
        <Button look="quiet" onClick={() => set('reopen')}>
          Process again
        </Button>
      )}
      <span className={css.grow} />
      <span className={css.where}>
        {where} <Kbd keys="j k" />
      </span>
    </div>
  )
}
