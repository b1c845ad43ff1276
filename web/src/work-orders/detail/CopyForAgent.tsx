import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { cx } from '../../lib/cx.ts'
import { remember, remembered } from '../../lib/storage.ts'
import { Button } from '../../ui/Button.tsx'
import { Meter } from '../../ui/charts.tsx'
import { IconCheck, IconCopy, IconPackage, IconPlugConnected, IconQuote, IconTerminal2 } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { PopUp } from '../../ui/PopUp.tsx'
import { BUDGETS, bundleOf, cliCommand, DEFAULT_BUDGET, mcpCommand } from '../agent-bundle.ts'
import { commentsQuery } from '../api.ts'
import { codeOf, type WorkOrder } from '../work-order.ts'
import css from './CopyForAgent.module.css'

const COPIED_MS = 2_000

/** The button that gives a work order to an agent, in one of several forms. */
export function CopyForAgent({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  return (
    <PopUp
      place="bottom-end"
      shortcut="copy"
      target={({ toggle, open }) => (
        <Button look="primary" className={css.open} icon={<IconCopy size={16} />} aria-expanded={open} onClick={toggle}>
          Copy for agent
          <Kbd keys="mod+shift+c" onAccent />
        </Button>
      )}
    >
      {() => <Choices workOrder={workOrder} projectId={projectId} />}
    </PopUp>
  )
}

function Choices({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const comments = useQuery(commentsQuery(projectId, workOrder.id)).data
  const [budget, setBudget] = useState(() => Number(remembered('agent-budget') ?? DEFAULT_BUDGET))
  const [at, setAt] = useState(0)
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const bundle = useMemo(() => bundleOf(workOrder, comments ?? [], budget), [workOrder, comments, budget])
  const commands = [mcpCommand(), cliCommand(workOrder.work_order_number, budget)]
  const copy = async () => {
    if (!(await copyText(at === 0 ? bundle.text : commands[at - 1]!))) return
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), COPIED_MS)
  }
  const choices: { name: string; text: string; icon: ReactNode; more: ReactNode }[] = [
    {
      name: 'Context bundle',
      text: 'Description, plan, comments and the relevant lines of what is connected, as markdown.',
      icon: <IconPackage size={15} stroke={1.75} />,
      more: (
        <span className={css.used}>
          <Meter label="Tokens of the budget" value={bundle.tokens} max={budget} className={css.meter} />
          {bundle.tokens.toLocaleString('en')} of {budget.toLocaleString('en')}
        </span>
      ),
    },
    {
      name: 'MCP',
      text: `Connect once; the agent reads ${codeOf(workOrder)} itself.`,
      icon: <IconPlugConnected size={15} stroke={1.75} />,
      more: <code className={css.code}>{commands[0]}</code>,
    },
    {
      name: 'CLI',
      text: 'For scripts and any other agent.',
      icon: <IconTerminal2 size={15} stroke={1.75} />,
      more: <code className={css.code}>{commands[1]}</code>,
    },
  ]
  return (
    <fieldset
      className={css.panel}
      tabIndex={-1}
      data-autofocus
      data-own-keys
      aria-label="Copy for agent"
      onKeyDown={(event) => {
        if (event.target instanceof HTMLSelectElement) return
        const digit = Number(event.key)
        if (digit >= 1 && digit <= choices.length) setAt(digit - 1)
        else if (event.key === 'ArrowDown') setAt(Math.min(choices.length - 1, at + 1))
        else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
        else if (event.key === 'Enter') void copy()
        else return
        event.preventDefault()
      }}
    >
      <header className={css.head}>
        <strong>Copy for agent</strong>
        <label className={css.budget}>
          Budget
          <select
            value={budget}
            onChange={(event) => {
              setBudget(Number(event.target.value))
              remember('agent-budget', event.target.value)
            }}
          >
            {BUDGETS.map((one) => (
              <option key={one} value={one}>
                {one.toLocaleString('en')} tokens
              </option>
            ))}
          </select>
        </label>
      </header>
      <div>
        {choices.map(({ name, text, icon, more }, index) => (
          <button
            key={name}
            type="button"
            aria-pressed={index === at}
            className={cx(css.choice, index === at && css.current)}
            onClick={() => setAt(index)}
          >
            <span className={css.icon}>{icon}</span>
            <span className={css.about}>
              <span className={css.name}>
                <strong>{name}</strong>
                <Kbd keys={String(index + 1)} />
              </span>
              <span className={css.text}>{text}</span>
              {more}
            </span>
          </button>
        ))}
      </div>
      <footer className={css.foot}>
        <IconQuote size={14} stroke={1.75} />
        <span className={css.grow}>Text of others is quoted</span>
        <Button
          look="primary"
          icon={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          onClick={() => void copy()}
        >
          {copied ? 'Copied' : at === 0 ? 'Copy bundle' : 'Copy command'}
          <Kbd keys="enter" onAccent />
        </Button>
      </footer>
    </fieldset>
  )
}
