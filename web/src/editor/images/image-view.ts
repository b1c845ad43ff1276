import type { NodeViewConstructor } from 'prosemirror-view'
import { isSafeAddress } from '../../lib/addresses.ts'
import { readAlt } from '../../lib/picture-size.ts'

/** The policy of the page allows only pictures that the server has. Others are shown as a link. */
const isOwn = (src: string) =>
  /^(data:image\/|blob:)/.test(src) || new URL(src, location.href).origin === location.origin

/** A picture in its size, with its caption below. */
export const imageView: NodeViewConstructor = (node) => {
  const { src, title } = node.attrs
  const { alt, width } = readAlt(node.attrs.alt)
  if (!URL.canParse(src, location.href) || !isOwn(src)) return { dom: outside(src, alt) }
  const image = document.createElement('img')
  image.src = src
  image.alt = alt
  image.loading = 'lazy'
  if (width) image.width = width
  if (!title) return { dom: image }
  const dom = document.createElement('span')
  dom.className = 'captioned'
  const caption = document.createElement('small')
  caption.textContent = title
  dom.append(image, caption)
  return { dom }
}

function outside(src: string, alt: string): HTMLElement {
  const dom = document.createElement('a')
  dom.className = 'outside-image'
  dom.textContent = alt || src || 'Image'
  if (isSafeAddress(src)) dom.href = src
  dom.target = '_blank'
  dom.rel = 'noreferrer'
  dom.title = `A picture of another site: ${src}`
  return dom
}
