import { useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorScreen } from '../ui/ErrorScreen.tsx'
import { IconMessage2, IconSelector } from '../ui/icons.ts'
import { LoadFault } from '../ui/LoadFault.tsx'
import { GroupedList } from '../ui/list/GroupedList.tsx'
import { GridCell, GridRow } from '../ui/list/grid.tsx'
import { type ListHandle, useCursor } from '../ui/list/use-cursor.ts'
import { ProjectSwitcher } from '../ui/ProjectSwitcher.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import { DraftOffer, UnsavedChange, UnsavedText } from '../ui/Unsaved.tsx'
import { Waits } from '../ui/Waits.tsx'
import { FAILED, LONG, Part, State } from './Example.tsx'
import css from './Parts.module.css'

const GROUPS = ['Ready', 'Blocked'].map((key, group) => ({
  key,
  rows: [1, 2, 3].map((row) => ({ id: `WO-${group * 3 + row}` })),
}))

export function Places() {
  return (
    <>
      <Part name="TopBar">
        <State is="normal" wide>
          <TopBar
            title="Work Orders"
            path={
              <>
                Harbor Checkout / <strong>Work Orders</strong>
              </>
            }
          >
            <Button look="primary">New work order</Button>
          </TopBar>
        </State>
      </Part>
      <Part name="ProjectSwitcher">
        <State is="closed">
          <ProjectSwitcher
            target={({ toggle }) => (
              <Button icon={<IconSelector size={15} />} onClick={toggle}>
                Harbor Checkout
              </Button>
            )}
          />
        </State>
      </Part>
      <Part name="GroupedList">
        <State is="j and k go through it" wide>
          <List />
        </State>
      </Part>
      <Part name="EmptyState">
        <State is="empty" wide>
          <EmptyState
            icon={<IconMessage2 size={22} />}
            title="No feedback yet"
            action={<Button look="primary">Connect</Button>}
            command="curl -X POST https://harbor.example/v2/reporting-api/feedback -H 'Authorization: Bearer …'"
          >
            What people report is collected here, and grouped into themes.
          </EmptyState>
        </State>
      </Part>
      <Part name="ErrorScreen">
        <State is="error" wide>
          <ErrorScreen error={new Error('No such thing')} reset={() => {}} />
        </State>
      </Part>
      <Part name="LoadFault">
        <State is="error">
          <LoadFault what="The members" error={new Error('The server did not answer.')} onRetry={() => {}} />
        </State>
      </Part>
      <Part name="Unsaved">
        <State is="text" wide>
          <UnsavedText label="Description" text={LONG} write={FAILED} onRetry={() => {}} onKeep={() => {}} />
        </State>
        <State is="value" wide>
          <UnsavedChange write={FAILED} />
        </State>
        <State is="waits, while the server is away">
          <Waits write={{ ...FAILED, state: 'waiting' }} />
        </State>
        <State is="draft" wide>
          <DraftOffer draft={{ text: 'Half up', at: 0 }} onContinue={() => {}} onDiscard={() => {}} />
        </State>
      </Part>
    </>
  )
}

function List() {
  const handle = useRef<ListHandle>(null)
  const ids = GROUPS.flatMap(({ rows }) => rows.map(({ id }) => id))
  const cursor = useCursor(ids, { openId: undefined, list: handle })
  const [folded] = useState(new Set<string>())
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for its rows.
    <div
      className={css.list}
      onKeyDown={({ key }) => {
        if (key === 'j' || key === 'k') cursor.step(key === 'j' ? 1 : -1)
      }}
    >
      <GroupedList
        label="Work orders"
        groups={GROUPS}
        folded={folded}
        cursor={cursor}
        handle={handle}
        rowPx={36}
        headPx={36}
        head={({ key }) => <strong className={css.row}>{key}</strong>}
        row={({ id }, place) => (
          <GridRow id={id} place={place} isFocused={cursor.focusedId === id} className={css.row}>
            <GridCell>
              <a href="#list">{id}</a>
            </GridCell>
          </GridRow>
        )}
      />
    </div>
  )
}
