import { useRouteContext } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { IconCloudUpload } from '../../ui/icons.ts'
import { GridCell, GridRow } from '../../ui/list/grid.tsx'
import css from './EndOfList.module.css'

const MIB = 1024 * 1024

interface Props {
  onMore: (() => void) | undefined
  /** Its place among the lines of a grid, or undefined outside of one. */
  place?: number | undefined
}

/** Below the last row: reads more when it comes into view, or says where files can be dropped. */
export function EndOfList({ onMore, place }: Props) {
  const end = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  more.current = onMore
  const isMore = onMore !== undefined
  useEffect(() => {
    if (!isMore || !end.current) return
    const watching = new IntersectionObserver(([seen]) => seen?.isIntersecting && more.current?.(), {
      rootMargin: '800px',
    })
    watching.observe(end.current)
    return () => watching.disconnect()
  })
  const content = (
    <div ref={end} className={css.end}>
      {isMore ? <span role="status">Loading more…</span> : <DropHint />}
    </div>
  )
  return place === undefined ? (
    content
  ) : (
    <GridRow place={place}>
      <GridCell>{content}</GridCell>
    </GridRow>
  )
}

function DropHint() {
  const mayWrite = useMayWrite()
  const { session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  if (!mayWrite) return null
  return (
    <p className={css.drop}>
      <IconCloudUpload size={17} stroke={1.75} />
      Drop files or folders anywhere here, up to {Math.floor(session.upload_limit_bytes / MIB)} MiB each
    </p>
  )
}
