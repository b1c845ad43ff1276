import { ActorMark } from '../people/ActorMark.tsx'
import { Avatar } from '../people/Avatar.tsx'
import { Chip, ChipText, Dot, LABEL_COLORS, LabelChip, NumberMark } from '../ui/Chip.tsx'
import { Bars, Meter, Shares, Sparkline } from '../ui/charts.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { Logo } from '../ui/Logo.tsx'
import { PriorityBars } from '../ui/PriorityBars.tsx'
import { Progress } from '../ui/Progress.tsx'
import { StatusRing } from '../ui/StatusRing.tsx'
import { Time } from '../ui/Time.tsx'
import { LONG, Part, State } from './Example.tsx'
import css from './Parts.module.css'

const STATUSES = ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed'] as const
const PRIORITIES = ['no_priority', 'low', 'medium', 'high', 'urgent'] as const
const COLORS = [
  'bg',
  'bg-sunken',
  'bg-hover',
  'bg-selected',
  'accent',
  'accent-soft',
  'green',
  'red',
  'amber',
  'violet',
  'blue',
  'gray',
]
const ACTORS = (['person', 'agent', 'automation', 'key', 'system'] as const).map((type) => ({
  type,
  id: type,
  name: `A ${type}`,
  on_behalf_of: null,
}))
const DAYS = [2, 5, 3, 0, 9, 12, 7].map((count, index) => ({ name: `Nov ${11 + index}`, count }))
const MINUTE_MS = 60_000
const AGES_MIN = [0, 9, 300, 26 * 60, 60 * 24 * 40]

export const Signs = () => (
  <>
    <Part name="Colours">
      <div className={css.swatches}>
        {COLORS.map((name) => (
          <div key={name} className={css.swatch} style={{ '--swatch': `var(--${name})` } as object}>
            {name}
          </div>
        ))}
      </div>
    </Part>
    <Part name="Time">
      {(['day', 'moment', 'when', 'ago'] as const).map((as) => (
        <State key={as} is={as}>
          {AGES_MIN.map((minutes) => (
            <Time key={minutes} as={as} at={new Date(Date.now() - minutes * MINUTE_MS).toISOString()} />
          ))}
        </State>
      ))}
    </Part>
    <Part name="Charts">
      <State is="Meter">
        <Meter className={css.narrow} label="Tasks" value={3} max={8} tone="green" />
      </State>
      {[40, 85, 100].map((percent) => (
        <State key={percent} is={`Meter of a budget, ${percent} %`}>
          <Meter className={css.narrow} label="Budget" value={percent} max={100} tone="budget" />
        </State>
      ))}
      <State is="Shares">
        <Shares
          className={css.narrow}
          label="Work orders"
          parts={[
            { name: 'completed', count: 5, color: 'var(--green)' },
            { name: 'in progress', count: 2, color: 'var(--amber)' },
            { name: 'backlog', count: 9, color: 'var(--line-strong)' },
          ]}
        />
      </State>
      <State is="Shares, empty">
        <Shares className={css.narrow} label="Work orders" parts={[]} />
      </State>
      <State is="Sparkline">
        <Sparkline label="Reports" values={DAYS} />
      </State>
      <State is="Bars">
        <Bars label="Runs" values={DAYS} />
      </State>
      <State is="Bars, empty">
        <Bars label="Runs" values={[]} />
      </State>
    </Part>
    <Part name="Progress">
      <State is="known">
        <Progress label="Upload of plan.pdf" share={0.42} />
      </State>
      <State is="waiting">
        <Progress label="Import" share={undefined} note="Waiting to begin" />
      </State>
    </Part>
    <Part name="StatusRing, PriorityBars">
      {STATUSES.map((status) => (
        <State key={status} is={status}>
          <StatusRing status={status} />
        </State>
      ))}
      {PRIORITIES.map((priority) => (
        <State key={priority} is={priority}>
          <PriorityBars priority={priority} />
        </State>
      ))}
    </Part>
    <Part name="Chip">
      <State is="normal">
        <Chip>
          <ChipText>Fix</ChipText>
        </Chip>
      </State>
      <State is="label">
        <LabelChip label={{ title: 'checkout', color: 'blue' }} />
      </State>
      <State is="long text">
        <LabelChip label={{ title: LONG, color: 'red' }} />
      </State>
      <State is="number of a phase">
        <NumberMark>{3}</NumberMark>
      </State>
      {Object.keys(LABEL_COLORS).map((color) => (
        <State key={color} is={color}>
          <Dot color={color} />
        </State>
      ))}
    </Part>
    <Part name="Avatar, ActorMark">
      {ACTORS.map((actor) => (
        <State key={actor.type} is={actor.type}>
          <ActorMark actor={actor} />
        </State>
      ))}
      <State is="nobody">
        <Avatar person={null} />
      </State>
    </Part>
    <Part name="Kbd">
      <State is="keys">
        <Kbd keys="mod+enter" />
      </State>
      <State is="joined">
        <Kbd keys="mod+k" joined />
      </State>
    </Part>
    <Part name="Logo">
      <State is="normal">
        <Logo />
      </State>
    </Part>
  </>
)
