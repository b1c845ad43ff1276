import { useState } from 'react'
import { ask } from '../lib/asking.ts'
import { showToast } from '../lib/toasts.ts'
import Asking from '../ui/Asking.tsx'
import { Button } from '../ui/Button.tsx'
import { FormDialog, NotCopied, Secret } from '../ui/dialogs.tsx'
import { HoverCard } from '../ui/HoverCard.tsx'
import { IconCopy, IconPencil, IconReplace, IconTrash } from '../ui/icons.ts'
import { MenuButton } from '../ui/Menu.tsx'
import { MoreMenu } from '../ui/MoreMenu.tsx'
import { type Option, Pick } from '../ui/Pick.tsx'
import { PopUp } from '../ui/PopUp.tsx'
import { PriorityBars } from '../ui/PriorityBars.tsx'
import { LONG, Part, State } from './Example.tsx'
import css from './Parts.module.css'

const SIZE = { size: 16, stroke: 1.75 }
const PRIORITIES: Option[] = (['urgent', 'high', 'medium', 'low'] as const).map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
  icon: <PriorityBars priority={value} />,
}))

export function Overlays() {
  const [picked, setPicked] = useState('nothing yet')
  const [shows, setShows] = useState<string[]>(['labels'])
  const [theme, setTheme] = useState('light')
  const [labels, setLabels] = useState<string[]>(['urgent'])
  const [isOpen, setOpen] = useState(false)
  const toggle = (all: string[], value: string) =>
    all.includes(value) ? all.filter((one) => one !== value) : [...all, value]
  return (
    <>
      <Part name="Menu">
        <State is={`of actions: ${picked}`}>
          <MenuButton
            label="Block"
            target={({ toggle }) => <Button onClick={toggle}>Actions</Button>}
            onPick={setPicked}
            options={[
              { value: 'edit', label: 'Edit', icon: <IconPencil {...SIZE} />, keys: 'e' },
              { value: 'copy', label: 'Copy text', icon: <IconCopy {...SIZE} /> },
              {
                value: 'turn',
                label: 'Turn into',
                icon: <IconReplace {...SIZE} />,
                more: [
                  { value: 'heading', label: 'Heading' },
                  { value: 'quote', label: 'Quote' },
                ],
              },
              {
                value: 'priority',
                label: 'Priority',
                icon: <PriorityBars priority="high" />,
                values: () => <Pick options={PRIORITIES} selected={['high']} onPick={setPicked} />,
              },
              { value: 'delete', label: 'Delete…', icon: <IconTrash {...SIZE} />, divided: true, danger: true },
            ]}
          />
        </State>
        <State is="with states">
          <MenuButton
            label="What cards show"
            heading="ada@harbor.example"
            target={({ toggle }) => <Button onClick={toggle}>States</Button>}
            onPick={(value) =>
              value === 'light' || value === 'dark' ? setTheme(value) : setShows(toggle(shows, value))
            }
            options={[
              ...['labels', 'phase'].map((value) => ({
                value,
                label: value.charAt(0).toUpperCase() + value.slice(1),
                check: 'checkbox' as const,
                checked: shows.includes(value),
              })),
              ...['light', 'dark'].map((value, index) => ({
                value,
                label: `${value.charAt(0).toUpperCase() + value.slice(1)} theme`,
                divided: index === 0,
                check: 'radio' as const,
                checked: theme === value,
              })),
            ]}
          />
        </State>
        <State is="of a row">
          <MoreMenu label="More about WO-1" options={[{ value: 'long', label: LONG }]} onPick={setPicked} />
        </State>
      </Part>
      <Part name="Pick">
        <State is="a value">
          <div className={css.box}>
            <Pick
              options={PRIORITIES}
              selected={['high']}
              placeholder="Change priority…"
              shortcut="p"
              numbered
              footer
              onPick={setPicked}
            />
          </div>
        </State>
        <State is="several, with counts">
          <div className={css.box}>
            <Pick
              multiple
              options={PRIORITIES.map((one, index) => ({ ...one, count: index * 7 }))}
              selected={labels}
              placeholder="Search priority"
              create={{ kind: 'label', invite: 'New label…', run: setPicked }}
              onPick={(value) => setLabels(toggle(labels, value))}
              onDone={() => {}}
            />
          </div>
        </State>
        <State is="long text">
          <div className={css.box}>
            <Pick
              options={[{ value: 'long', label: LONG }]}
              selected={['long']}
              placeholder="Find a project…"
              onPick={setPicked}
            />
          </div>
        </State>
        <State is="empty">
          <div className={css.box}>
            <Pick options={[]} selected={[]} placeholder="Move to…" onPick={setPicked} />
          </div>
        </State>
      </Part>
      <Part name="PopUp">
        <State is="closed">
          <PopUp target={({ toggle }) => <Button onClick={toggle}>Show</Button>}>
            {() => <p className={css.row}>Whatever is put here.</p>}
          </PopUp>
        </State>
      </Part>
      <Part name="HoverCard">
        <State is="point at it">
          <HoverCard card={<p className={css.row}>Round the total once, in progress</p>}>
            <a href="#card">WO-1</a>
          </HoverCard>
        </State>
      </Part>
      <Part name="Dialogs">
        <State is="form">
          <Button onClick={() => setOpen(true)}>Open</Button>
        </State>
        <State is="question">
          <Button onClick={() => void ask({ title: 'Delete WO-1?', text: 'This cannot be undone.', verb: 'Delete' })}>
            Ask
          </Button>
        </State>
        <State is="secret" wide>
          <Secret
            label="New key"
            text="sk_live_0000000000000000"
            note="It is shown this once."
            tone="green"
            onCopied={() => {}}
          />
        </State>
        <State is="secret, not copied" wide>
          <NotCopied what="key" />
        </State>
      </Part>
      <Part name="Toasts">
        <State is="with Undo">
          <Button onClick={() => showToast({ text: 'WO-1: priority Urgent', undo: () => {} })}>Say</Button>
        </State>
        <State is="error, long text">
          <Button onClick={() => showToast({ text: 'WO-1 was not saved', detail: LONG, tone: 'error' })}>Fail</Button>
        </State>
      </Part>
      <Asking />
      {isOpen && (
        <FormDialog
          title="New webhook"
          lead="Slipway calls it for every event."
          onClose={() => setOpen(false)}
          footer={<Button onClick={() => setOpen(false)}>Cancel</Button>}
        >
          {LONG}
        </FormDialog>
      )}
    </>
  )
}
