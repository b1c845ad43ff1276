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

const BUTTONS = [
  { is: 'focused' },
  ...LOOKS.map((look) => ({ is: `${look}, disabled`, look, disabled: true })),
  { is: 'busy', look: 'primary', busy: true },
] as const
const ICON_BUTTONS: { is: string; label: string; small?: true; disabled?: true }[] = [
  { is: 'with its name on hover', label: 'Delete the comment' },
  { is: 'small', label: 'Delete the draft', small: true },
  { is: 'focused', label: 'Delete the label' },
  { is: 'disabled', label: 'Delete the phase', disabled: true },
]
const SWITCHES = [
  {
    is: 'disabled, with the reason on hover',
    name: 'Nightly triage',
    checked: false,
    title: 'Only the owner can switch it on.',
  },
  { is: 'on, disabled', name: 'Weekly report', checked: true, title: 'Only the owner can switch it off.' },
]
const CHECK_MARKS: { is: string; checked: boolean; outlined?: true }[] = [
  { is: 'off', checked: false },
  { is: 'on', checked: true },
  { is: 'on, in a row', checked: true, outlined: true },
]
const FIELDS = [
  { is: 'empty', label: 'E-mail', placeholder: 'you@example.org', value: '' },
  { is: 'error', label: 'Address', fault: '“harbor” is no address. Begin with https://.', value: 'harbor' },
  { is: 'disabled', label: 'Project', value: 'Harbor Checkout', disabled: true },
  { is: 'long text', label: 'Title', value: LONG },
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
        {BUTTONS.map(({ is, ...props }) => (
          <State key={is} is={is}>
            <Button {...props}>Save</Button>
          </State>
        ))}
      </Part>
      <Part name="IconButton">
        {ICON_BUTTONS.map(({ is, ...props }) => (
          <State key={is} is={is}>
            <IconButton {...props}>
              <IconTrash size={props.small ? 15 : 17} stroke={1.75} />
            </IconButton>
          </State>
        ))}
      </Part>
      <Part name="Switch">
        <State is="on or off">
          <Switch checked={isOn} onChange={setOn}>
            Create more
          </Switch>
        </State>
        {SWITCHES.map(({ is, name, ...props }) => (
          <State key={is} is={is}>
            <Switch {...props} disabled onChange={() => {}}>
              {name}
            </Switch>
          </State>
        ))}
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
        {CHECK_MARKS.map(({ is, ...props }) => (
          <State key={is} is={is}>
            <CheckMark {...props} />
          </State>
        ))}
      </Part>
      <Part name="Fields">
        {FIELDS.map(({ is, ...props }) => (
          <State key={is} is={is}>
            <Field {...props} onChange={() => {}} />
          </State>
        ))}
        <State is="with a hint">
          <Field label="Name" hint="People see it beside what the key does." value={text} onChange={setText} />
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
