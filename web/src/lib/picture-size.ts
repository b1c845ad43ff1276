/**
 * The width of a picture stands in its alternative text: `![A chart|320](…)`. Obsidian writes it so, and every other
 * program shows the picture.
 */
const WIDTH = /\|(\d{2,4})$/

export function readAlt(written: string): { alt: string; width: number | undefined } {
  const [end, width] = WIDTH.exec(written) ?? []
  return end === undefined
    ? { alt: written, width: undefined }
    : { alt: written.slice(0, -end.length), width: Number(width) }
}

export const writeAlt = (alt: string, width: number | undefined) => (width === undefined ? alt : `${alt}|${width}`)
