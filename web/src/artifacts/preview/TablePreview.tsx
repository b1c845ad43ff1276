import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { countOf } from '../../lib/numbers.ts'
import type { ShownFile } from './file.ts'
import { NoPreview } from './NoPreview.tsx'
import css from './Preview.module.css'
import { readTable } from './read-table.ts'
import { fileTextQuery, MOST_BYTES } from './read-text.ts'

/** The first rows of a CSV file, as a table of plain text. */
export default function TablePreview({ file }: { file: ShownFile }) {
  const text = useSuspenseQuery(fileTextQuery(file)).data
  const table = useMemo(
    () => (text === null ? undefined : readTable(text, file.sizeBytes <= MOST_BYTES)),
    [text, file.sizeBytes],
  )
  const [head, ...rows] = table?.rows ?? []
  if (!table || !head) return <NoPreview file={file} />
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it. */}
      <section className={css.tableBox} tabIndex={0} aria-label={`Table of ${file.name}`}>
        <table className={css.table}>
          <thead>
            <tr>
              <th className={css.number} scope="col">
                #
              </th>
              {head.map((name, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
                <th key={at} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
              <tr key={at}>
                <td className={css.number}>{at + 1}</td>
                {cells.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name
                  <td key={column} title={cell}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {table.hasMore && (
        <p className={css.cut}>The first {countOf(rows.length, 'row')}. Download the file to see the rest.</p>
      )}
    </>
  )
}
