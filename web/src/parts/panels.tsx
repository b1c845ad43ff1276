import { useState } from 'react'
import { BesidePanel } from '../ui/BesidePanel.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Checklist, ChecklistStep } from '../ui/Checklist.tsx'
import { IconPlus, IconX } from '../ui/icons.ts'
import { OpenPicker, openPicker } from '../ui/open-picker.tsx'
import { Pick } from '../ui/Pick.tsx'
import { PropertyHead, PropertyLine, PropertyLines, PropertyTimes } from '../ui/PropertyList.tsx'
import { Badge, SectionHead } from '../ui/SectionHead.tsx'
import { Split } from '../ui/Split.tsx'
import { Steps } from '../ui/Steps.tsx'
import { LONG, Part, State } from './Example.tsx'
import css from './Parts.module.css'

const ORDER = ['WO-1', 'WO-2', 'WO-3']
const PRIORITIES = ['Urgent', 'High', 'Low'].map((label) => ({ value: label, label }))
const TIMES = { created_at: '2026-11-02T09:00:00Z', updated_at: '2026-11-17T16:30:00Z' }

export function Panels() {
  return (
    <>
      <Part name="Split, BesidePanel">
        <State is="with a panel" wide>
          <Screen />
        </State>
        <State is="without one" wide>
          <div className={css.screen}>
            <Split beside={undefined}>
              <p className={css.text}>{LONG}</p>
            </Split>
          </div>
        </State>
      </Part>
      <Part name="Steps">
        <State is="in the middle">
          <Walk first={1} />
        </State>
        <State is="at the end">
          <Walk first={1_233} />
        </State>
        <State is="place unknown">
          <Walk first={-1} />
        </State>
        <State is="place unknown, a step finds it">
          <Walk first={-1} mayStep />
        </State>
      </Part>
      <Part name="Checklist">
        <State is="waiting for the last step" wide>
          <Checklist>
            <ChecklistStep state="done" title="Make a key" />
            <ChecklistStep state="waiting" title="Waiting for the first report…" />
            <ChecklistStep state="later" title={LONG} />
          </Checklist>
        </State>
        <State is="all done, without titles" wide>
          <Checklist>
            <ChecklistStep state="done">Run this once.</ChecklistStep>
            <ChecklistStep state="arrived">First call received.</ChecklistStep>
          </Checklist>
        </State>
      </Part>
      <Part name="SectionHead">
        <State is="normal" wide>
          <SectionHead title="Activity" />
        </State>
        <State is="with a count and a button" wide>
          <SectionHead title="Connected" beside={<Badge>12</Badge>}>
            <IconButton label="Connect something" small>
              <IconPlus size={16} />
            </IconButton>
          </SectionHead>
        </State>
        <State is="long text" wide>
          <SectionHead title={LONG} beside={<Badge>1 of 9</Badge>} />
        </State>
      </Part>
      <Part name="PropertyList, OpenPicker">
        <State is="to change">
          <Inspector mayChange first="High" />
        </State>
        <State is="only to read">
          <Inspector first="High" />
        </State>
        <State is="long text">
          <Inspector mayChange first={LONG} />
        </State>
        <State is="in a row">
          <PropertyLines inRow>
            <PropertyLine name="Status" property="status" sign={<IconX size={16} />} onOpen={undefined}>
              Retired
            </PropertyLine>
            <PropertyLine name="Owner" property="owner" onOpen={undefined}>
              Grace Hopper
            </PropertyLine>
          </PropertyLines>
        </State>
      </Part>
      <OpenPicker />
    </>
  )
}

function Screen() {
  const [id, setId] = useState<string | undefined>('WO-2')
  const panel = id && (
    <BesidePanel
      name={id}
      path={`/p/harbor/work-orders/${id}`}
      order={ORDER}
      isWhole
      id={id}
      onGo={setId}
      onOpenPage={() => location.assign(`#${id}`)}
      onClose={() => setId(undefined)}
    >
      <p className={css.text}>{LONG}</p>
    </BesidePanel>
  )
  return (
    <div className={css.scroll}>
      <div className={css.screen}>
        <Split beside={panel ? { of: 'work order', panel } : undefined}>
          {ORDER.map((one) => (
            <div key={one} className={css.row}>
              <Button look="quiet" onClick={() => setId(one)}>
                Open {one}
              </Button>
            </div>
          ))}
        </Split>
      </div>
    </div>
  )
}

function Walk({ first, mayStep }: { first: number; mayStep?: boolean }) {
  const [at, setAt] = useState(first)
  return (
    <div className={css.steps}>
      <Steps at={at} total={1_234} mayStep={mayStep ?? false} onStep={(by) => setAt(Math.max(0, at + by))} />
    </div>
  )
}

function Inspector({ first, mayChange }: { first: string; mayChange?: boolean }) {
  const [priority, setPriority] = useState(first)
  const pick = (beside: Element) =>
    openPicker(beside, 'Priority', (close) => (
      <Pick
        options={PRIORITIES}
        selected={[priority]}
        placeholder="Change priority…"
        onPick={(value) => {
          close()
          setPriority(value)
        }}
      />
    ))
  return (
    <div className={css.inspector}>
      <PropertyHead>
        {mayChange && (
          <IconButton label="No priority" small onClick={() => setPriority('None')}>
            <IconX size={16} />
          </IconButton>
        )}
      </PropertyHead>
      <PropertyLines>
        <PropertyLine name="Priority" property="priority" onOpen={mayChange ? pick : undefined}>
          {priority}
        </PropertyLine>
      </PropertyLines>
      <PropertyTimes of={TIMES} />
    </div>
  )
}
