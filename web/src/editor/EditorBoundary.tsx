import { DOMSerializer } from 'prosemirror-model'
import { Component, type ReactNode, useEffect, useRef } from 'react'
import { initProseMirrorDoc } from 'y-prosemirror'
import { Button } from '../ui/Button.tsx'
import type { LiveDocument } from './live-document.ts'
import { Notice } from './Notice.tsx'
import { schema } from './schema.ts'

interface Props {
  live: LiveDocument
  children: ReactNode
}

/** Shows the text without an editor when the editor has thrown. What was typed is in the shared document, and is sent. */
export class EditorBoundary extends Component<Props, { fault: Error | undefined }> {
  override state = { fault: undefined as Error | undefined }

  static getDerivedStateFromError(fault: Error) {
    return { fault }
  }

  override render() {
    const { fault } = this.state
    return fault ? <StillText live={this.props.live} fault={fault} /> : this.props.children
  }
}

function StillText({ live, fault }: { live: LiveDocument; fault: Error }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.replaceChildren(drawn(live))
  }, [live])
  return (
    <>
      <Notice actions={<Button onClick={() => location.reload()}>Reload</Button>}>
        The editor stopped ({fault.message}). Your text is kept and shown below. Reload to go on writing.
      </Notice>
      <div ref={place} className="document still" role="document" aria-label="Text" />
    </>
  )
}

function drawn({ fragment }: LiveDocument): Node {
  try {
    return DOMSerializer.fromSchema(schema).serializeFragment(initProseMirrorDoc(fragment, schema).doc.content)
  } catch {
    return document.createTextNode(fragment.toString().replaceAll(/<[^<>]*>/g, '\n'))
  }
}
