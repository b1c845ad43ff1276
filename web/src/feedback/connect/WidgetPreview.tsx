import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { Segments } from '../../ui/Segments.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { type WidgetOptions, widgetQuery } from './api.ts'
import { setWidget } from './edits.ts'
import css from './WidgetPreview.module.css'

const THEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'Auto' },
] as const
const POSITIONS = [
  { value: 'right', label: 'Bottom right' },
  { value: 'left', label: 'Bottom left' },
] as const
const OWN_ACCENT = '#0b6b7d'

/** The widget as pages show it, and what can be chosen about it. */
export function WidgetPreview({ projectId }: { projectId: string }) {
  const options = useQuery(widgetQuery(projectId)).data
  const mayWrite = useMayWrite()
  if (!options) return null
  const set = (change: Partial<WidgetOptions>) => void setWidget(projectId, { before: options, change })
  const query = new URLSearchParams(
    Object.entries(options).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  )
  return (
    <>
      <header className={css.previewHead}>
        <h2>Widget preview</h2>
        {mayWrite && (
          <Segments label="Theme" options={THEMES} value={options.theme} onChange={(theme) => set({ theme })} />
        )}
      </header>
      <div className={css.browser}>
        <div className={css.bar} aria-hidden="true">
          <span />
          <span />
          <span />
          <em>shop.example.org</em>
        </div>
        <div className={css.lines} aria-hidden="true">
          <span />
          <span />
          <span />
          <span />
        </div>
        {/* The real widget. It has no access to this page, and sends nothing. */}
        <iframe
          title="Preview of the widget"
          className={css.frame}
          sandbox="allow-scripts allow-forms"
          src={`/widget-preview?${query}`}
        />
      </div>
      <h3 className={css.appearance}>Appearance</h3>
      {mayWrite ? (
        <div className={css.options}>
          <Label key={options.label} value={options.label} onChange={(label) => set({ label })} />
          <div className={css.option}>
            <span>Position</span>
            <Segments
              label="Position"
              options={POSITIONS}
              value={options.position}
              onChange={(position) => set({ position })}
            />
          </div>
          <div className={css.option}>
            <span>Accent</span>
            <Accent
              key={options.accent}
              value={options.accent ?? OWN_ACCENT}
              onChange={(accent) => set({ accent: accent === OWN_ACCENT ? null : accent })}
            />
          </div>
          <div className={css.option}>
            <span>Screenshots</span>
            <Switch checked={options.screenshots} label="Screenshots" onChange={(screenshots) => set({ screenshots })}>
              {options.screenshots ? 'By file or paste' : 'Off'}
            </Switch>
          </div>
        </div>
      ) : (
        <dl className={css.options}>
          <div className={css.option}>
            <dt>Label</dt>
            <dd>{options.label}</dd>
          </div>
          <div className={css.option}>
            <dt>Position</dt>
            <dd>{options.position === 'right' ? 'Bottom right' : 'Bottom left'}</dd>
          </div>
        </dl>
      )}
    </>
  )
}

function Label({ value, onChange }: { value: string; onChange(label: string): void }) {
  const [text, setText] = useState(value)
  const save = () => {
    const label = text.trim()
    if (label && label !== value) onChange(label)
    else setText(value)
  }
  return (
    <label className={css.option}>
      <span>Label</span>
      <input
        className={css.field}
        maxLength={40}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save()
        }}
      />
    </label>
  )
}

/** A picker of colors reports every color on the way to the one that is meant. */
function Accent({ value, onChange }: { value: string; onChange(accent: string): void }) {
  const [color, setColor] = useState(value)
  const settled = useSettled(color)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was chosen is saved.
  useEffect(() => {
    if (settled !== value) onChange(settled)
  }, [settled])
  return (
    <span className={css.accent}>
      <input type="color" aria-label="Accent" value={color} onChange={(event) => setColor(event.target.value)} />
      <code>{color}</code>
    </span>
  )
}
