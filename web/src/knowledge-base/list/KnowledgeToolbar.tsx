import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { KindIcon } from '../../artifacts/KindIcon.tsx'
import { PHONE, useWidth } from '../../lib/breakpoints.ts'
import { countOf } from '../../lib/numbers.ts'
import {
  IconArrowsSort,
  IconFilter,
  IconFolderPlus,
  IconLayoutGrid,
  IconList,
  IconSearch,
  IconX,
} from '../../ui/icons.ts'
import { Pick } from '../../ui/Pick.tsx'
import { PopUp } from '../../ui/PopUp.tsx'
import { FilterChip, Tool, Toolbar, ToolbarSpace, ToolbarTotal, ToolChoice } from '../../ui/toolbar/Toolbar.tsx'
import { KIND_NAMES, KINDS, SORT_NAMES, SORTS, type Sort } from '../artifact.ts'
import { type KnowledgeSearch, kindsOf } from '../search.ts'
import css from './KnowledgeToolbar.module.css'

interface Props {
  search: KnowledgeSearch
  /** The name of the folder. */
  place: string
  total: number | undefined
  /** Undefined for those who may not. */
  onNewFolder: (() => void) | undefined
}

const SIZE = { size: 16, stroke: 1.75 }

/** Search, type, order and view. All of it stands in the address. */
export function KnowledgeToolbar({ search, place, total, onNewFolder }: Props) {
  const navigate = useNavigate()
  const kinds = kindsOf(search)
  const change = (part: KnowledgeSearch) =>
    void navigate({ to: '.', search: (old: KnowledgeSearch) => ({ ...old, ...part }), replace: true } as never)
  const toggle = (kind: string) => {
    const next = KINDS.filter((one) => (one === kind) !== kinds.includes(one))
    change({ kind: next.length > 0 ? next.join() : undefined })
  }
  return (
    <Toolbar>
      <SearchField place={place} value={search.q ?? ''} onChange={(q) => change({ q: q || undefined })} />
      {kinds.length > 0 && (
        <FilterChip
          name={kinds.length === 1 ? KIND_NAMES[kinds[0]!] : `Type is any of ${kinds.length}`}
          label="Remove the filter by type"
          onRemove={() => change({ kind: undefined })}
        />
      )}
      <PopUp target={({ toggle: open }) => <Tool icon={<IconFilter {...SIZE} />} name="Type" isLate onClick={open} />}>
        {() => (
          <Pick
            multiple
            options={KINDS.map((kind) => ({
              value: kind,
              label: KIND_NAMES[kind],
              icon: <KindIcon kind={kind} name="" size={15} />,
            }))}
            selected={kinds}
            onPick={toggle}
          />
        )}
      </PopUp>
      <ToolbarSpace />
      {(search.q || kinds.length > 0) && total !== undefined && (
        <ToolbarTotal>{countOf(total, 'match', 'matches')}</ToolbarTotal>
      )}
      {onNewFolder && <Tool icon={<IconFolderPlus {...SIZE} />} name="New folder" isLate onClick={onNewFolder} />}
      <ToolChoice
        icon={<IconArrowsSort {...SIZE} />}
        name={SORT_NAMES[search.order ?? 'name']}
        options={SORTS.map((value) => ({ value, label: SORT_NAMES[value] }))}
        selected={[search.order ?? 'name']}
        onPick={(value) => change({ order: value === 'name' ? undefined : (value as Sort) })}
      />
      <fieldset className={css.views} aria-label="View">
        <button
          type="button"
          aria-label="List"
          aria-pressed={search.layout !== 'grid'}
          onClick={() => change({ layout: undefined })}
        >
          <IconList {...SIZE} />
        </button>
        <button
          type="button"
          aria-label="Grid"
          aria-pressed={search.layout === 'grid'}
          onClick={() => change({ layout: 'grid' })}
        >
          <IconLayoutGrid {...SIZE} />
        </button>
      </fieldset>
    </Toolbar>
  )
}

function SearchField({ place, value, onChange }: { place: string; value: string; onChange(q: string): void }) {
  const isPhone = useWidth(PHONE)
  const [text, setText] = useState(value)
  const typed = useRef(value)
  // Another folder, or the way back, has other words.
  useEffect(() => {
    if (value !== typed.current) setText(value)
    typed.current = value
  }, [value])
  const change = (next: string) => {
    typed.current = next
    setText(next)
    onChange(next)
  }
  return (
    <span className={css.search}>
      <IconSearch {...SIZE} />
      <input
        type="search"
        aria-label={`Search in ${place}`}
        placeholder={isPhone ? 'Search' : `Search in ${place}`}
        maxLength={200}
        value={text}
        onChange={({ target }) => change(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          change('')
          event.currentTarget.blur()
        }}
      />
      {text && (
        <button type="button" aria-label="Clear the search" onClick={() => change('')}>
          <IconX size={14} stroke={1.75} />
        </button>
      )}
    </span>
  )
}
