import { useState } from 'react'
import { Button, IconButton } from '../ui/Button.tsx'
import { CheckMark } from '../ui/Checkbox.tsx'
import { Field, PasswordField, Submit } from '../ui/fields.tsx'
import { IconPlus, IconTrash } from '../ui/icons.ts'
import { MarkdownField } from '../ui/MarkdownField.tsx'
import { Segments } from '../ui/Segments.tsx'
import { Select } from '../ui/Select.tsx'
import { Switch } from '../ui/Switch.tsx'
import { TabFace, Tabs, tabClass } from '../ui/Tabs.tsx'
import { LONG, Part, State } from './Example.tsx'
import css from './Parts.module.css'

const LOOKS = ['primary', 'outline', 'quiet'] as const
const ROLES = [
  { value: 'admin', label: 'Admin' },
  { value: 'editor', label: 'Editor' },
  { value: 'viewer', label: 'Viewer' },
]

export function Controls() {
  const [role, setRole] = useState('editor')
  const [view, setView] = useState('rich')
  const [isOn, setOn] = useState(true)
  const [text, setText] = useState('')
  return (
    <>
      <Part name="Button">
        {LOOKS.map((look) => (
          <State key={look} is={look}>
            <Button look={look} icon={<IconPlus size={15} />}>
              New work order
            </Button>
          </State>
        ))}
        <State is="focused">
          <Button>Save</Button>
        </State>
        {LOOKS.map((look) => (
          <State key={look} is={`${look}, disabled`}>
            <Button look={look} disabled>
              Save
            </Button>
          </State>
        ))}
        <State is="busy">
          <Button look="primary" busy>
            Save
          </Button>
        </State>
      </Part>
      <Part name="IconButton">
        <State is="with its name on hover">
          <IconButton label="Delete the comment">
            <IconTrash size={17} stroke={1.75} />
          </IconButton>
        </State>
        <State is="small">
          <IconButton label="Delete the draft" small>
            <IconTrash size={15} stroke={1.75} />
          </IconButton>
        </State>
        <State is="focused">
          <IconButton label="Delete the label">
            <IconTrash size={17} stroke={1.75} />
          </IconButton>
        </State>
        <State is="disabled">
          <IconButton label="Delete the phase" disabled>
            <IconTrash size={17} stroke={1.75} />
          </IconButton>
        </State>
      </Part>
      <Part name="Switch">
        <State is="on or off">
          <Switch checked={isOn} onChange={setOn}>
            Create more
          </Switch>
        </State>
        <State is="disabled, with the reason on hover">
          <Switch checked={false} disabled title="Only the owner can switch it on." onChange={() => {}}>
            Nightly triage
          </Switch>
        </State>
        <State is="on, disabled">
          <Switch checked disabled title="Only the owner can switch it off." onChange={() => {}}>
            Weekly report
          </Switch>
        </State>
        <State is="long text">
          <Switch checked={!isOn} onChange={(on) => setOn(!on)}>
            {LONG}
          </Switch>
        </State>
      </Part>
      <Part name="Tabs">
        <State is="with counts">
          <Tabs label="Feedback">
            {['Inbox', 'Themes', 'Connect'].map((name, index) => (
              <a key={name} href="#tabs" className={tabClass} aria-current={index === 0 ? 'page' : undefined}>
                <TabFace count={[1234, 8, undefined][index]}>{name}</TabFace>
              </a>
            ))}
          </Tabs>
        </State>
      </Part>
      <Part name="Segments">
        <State is="one chosen">
          <Segments
            label="View"
            options={[
              { value: 'rich', label: 'Rich' },
              { value: 'markdown', label: 'Markdown' },
            ]}
            value={view}
            onChange={setView}
          />
        </State>
      </Part>
      <Part name="Select">
        <State is="normal">
          <Select label="Role" value={role} options={ROLES} onPick={setRole} />
        </State>
        <State is="fixed, with the reason on hover">
          <Select label="Role" value="admin" fixed="The last admin stays one." options={ROLES} onPick={setRole} />
        </State>
      </Part>
      <Part name="CheckMark">
        <State is="off">
          <CheckMark checked={false} />
        </State>
        <State is="on">
          <CheckMark checked />
        </State>
        <State is="on, in a row">
          <CheckMark checked outlined />
        </State>
      </Part>
      <Part name="Fields">
        <State is="empty">
          <Field label="E-mail" placeholder="you@example.org" value="" onChange={() => {}} />
        </State>
        <State is="with a hint">
          <Field label="Name" hint="People see it beside what the key does." value={text} onChange={setText} />
        </State>
        <State is="error">
          <Field
            label="Address"
            fault="“harbor” is no address. Begin with https://."
            value="harbor"
            onChange={() => {}}
          />
        </State>
        <State is="disabled">
          <Field label="Project" value="Harbor Checkout" disabled onChange={() => {}} />
        </State>
        <State is="long text">
          <Field label="Title" value={LONG} onChange={() => {}} />
        </State>
        <State is="password">
          <PasswordField label="Password" value={text} onChange={setText} />
        </State>
        <State is="submit, busy">
          <div className={css.narrow}>
            <Submit busy>Sign in</Submit>
          </div>
        </State>
      </Part>
      <Part name="MarkdownField">
        <State is="normal" wide>
          <MarkdownField
            label="Description"
            placeholder="Say why, and when it is done."
            value={text}
            minRows={3}
            onChange={setText}
          />
        </State>
      </Part>
    </>
  )
}
