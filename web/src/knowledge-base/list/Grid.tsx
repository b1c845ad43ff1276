import * as api from '@slipway/sdk/resources'
import type { MouseEvent, ReactNode } from 'react'
import { KindIcon } from '../../artifacts/KindIcon.tsx'
import { callOf } from '../../lib/client.ts'
import { cx } from '../../lib/cx.ts'
import { CheckMark } from '../../ui/Checkbox.tsx'
import { IconDots } from '../../ui/icons.ts'
import type { Row } from '../artifact.ts'
import css from './Grid.module.css'
import { NameInput } from './NamingRow.tsx'
import { amountOf } from './Row.tsx'

interface Props {
  projectId: string
  rows: Row[]
  selected: ReadonlySet<string>
  focusedId: string | undefined
  renaming: string | undefined
  onRenamed(row: Row, name: string | undefined, before: string): void
  hrefOf(row: Row): string
  onClick(event: MouseEvent): void
  onContextMenu(event: MouseEvent): void
  /** What stands below the last card. */
  children: ReactNode
}

/** The rows as cards, pictures as pictures. Cards out of view are not painted. */
export function Grid(props: Props) {
  const { projectId, rows, selected, focusedId, renaming, onRenamed, hrefOf, onClick, onContextMenu, children } = props
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the buttons and links of its cards.
    // biome-ignore lint/a11y/useKeyWithClickEvents: buttons and links turn keys into clicks.
    <div className={css.scroller} onClick={onClick} onContextMenu={onContextMenu}>
      <ul className={css.grid} aria-label="Files and folders">
        {rows.map((row) => (
          <li
            key={row.id}
            data-row={row.id}
            className={cx(css.card, selected.has(row.id) && css.selected, focusedId === row.id && css.focused)}
          >
            <a href={hrefOf(row)} className={css.face} data-cell="title" draggable={false} aria-label={row.name}>
              {row.kind === 'image' ? (
                <img
                  src={api.artifacts(callOf(projectId)).contentUrl(row.id)}
                  alt=""
                  loading="lazy"
                  draggable={false}
                />
              ) : (
                <KindIcon kind={row.kind} name={row.name} size={36} />
              )}
            </a>
            <button
              type="button"
              className={css.box}
              aria-pressed={selected.has(row.id)}
              aria-label={`Select ${row.name}`}
              data-cell="select"
            >
              <CheckMark checked={selected.has(row.id)} outlined />
            </button>
            <div className={css.foot}>
              {renaming === row.id ? (
                <NameInput row={row} onDone={(name, before) => onRenamed(row, name, before)} />
              ) : (
                <span className={css.text}>
                  <span className={css.name} dir="auto" title={row.name}>
                    {row.name}
                  </span>
                  <span className={css.size}>{amountOf(row)}</span>
                </span>
              )}
              <button type="button" className={css.menu} aria-label={`More about ${row.name}`} data-cell="menu">
                <IconDots size={16} stroke={1.75} />
              </button>
            </div>
          </li>
        ))}
      </ul>
      {children}
    </div>
  )
}
