import { DOMSerializer, type Node } from 'prosemirror-model'
import { useLayoutEffect, useRef } from 'react'
import { schema } from '../editor/schema.ts'

const serializer = DOMSerializer.fromSchema(schema)

/** Blocks of a document as they look, without an editor. */
export function Rendered({ nodes }: { nodes: Node[] }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    place.current?.replaceChildren(...nodes.map((node) => serializer.serializeNode(node)))
  }, [nodes])
  return <div ref={place} className="document still" />
}
