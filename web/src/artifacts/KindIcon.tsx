import type { ComponentType } from 'react'
import {
  IconFile,
  IconFileCode,
  IconFileMusic,
  IconFileText,
  IconFileTypeCsv,
  IconFileTypePdf,
  IconFileTypeXls,
  IconFileZip,
  IconFolder,
  IconMovie,
  IconPhoto,
} from '../ui/icons.ts'
import css from './KindIcon.module.css'
import { isTable, type Kind } from './kinds.ts'

type Sign = ComponentType<{ size?: number; stroke?: number; className?: string | undefined; 'aria-hidden'?: boolean }>

const SIGNS: Record<Kind, { Sign: Sign; look?: string | undefined }> = {
  folder: { Sign: IconFolder },
  document: { Sign: IconFileText, look: css.accent },
  image: { Sign: IconPhoto, look: css.violet },
  pdf: { Sign: IconFileTypePdf, look: css.red },
  spreadsheet: { Sign: IconFileTypeXls, look: css.green },
  text: { Sign: IconFileCode },
  audio: { Sign: IconFileMusic, look: css.amber },
  video: { Sign: IconMovie, look: css.amber },
  archive: { Sign: IconFileZip },
  other: { Sign: IconFile },
}

/** The sign of a kind of file. */
export function KindIcon({ kind, name, size = 16 }: { kind: Kind; name: string; size?: number }) {
  const { Sign, look } = SIGNS[kind]
  const Shown = isTable({ kind, name }) ? IconFileTypeCsv : Sign
  return <Shown size={size} stroke={1.75} className={look ?? css.plain} aria-hidden />
}
