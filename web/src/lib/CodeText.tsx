import { type ReactNode, useEffect, useState } from 'react'
import './code-colors.css'

type Lowlight = typeof import('./languages.ts')['lowlight']

/** Longer code stays plain: finding its colors would keep the page busy. */
const MAX_CHARACTERS = 50_000

let loaded: Lowlight | undefined

/** Code in colors. Nothing is loaded before the first block that names a language. */
export function CodeText({ text, language }: { text: string; language: string }) {
  const [lowlight, setLowlight] = useState(loaded)
  const isNeeded = language !== '' && text.length <= MAX_CHARACTERS
  useEffect(() => {
    if (lowlight || !isNeeded) return
    let isShown = true
    import('./languages.ts').then(
      ({ lowlight: found }) => {
        loaded = found
        if (isShown) setLowlight(() => found)
      },
      // Without a connection, code has no colors.
      () => undefined,
    )
    return () => {
      isShown = false
    }
  }, [lowlight, isNeeded])
  return lowlight ? colored(lowlight, text, language) : text
}

export function colored(lowlight: Lowlight, text: string, language: string): ReactNode {
  if (text.length > MAX_CHARACTERS || !lowlight.registered(language)) return text
  return spans(lowlight.highlight(language, text).children as Tree[])
}

interface Tree {
  value?: string
  properties?: { className?: string[] }
  children?: Tree[]
}

const spans = (trees: Tree[]): ReactNode[] =>
  trees.map(({ value, properties, children }, at) =>
    children ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes in part
      <span key={at} className={properties?.className?.join(' ')}>
        {spans(children)}
      </span>
    ) : (
      value
    ),
  )
