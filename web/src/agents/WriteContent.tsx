import * as api from '@slipway/sdk/resources'
import { useQuery } from '@tanstack/react-query'
import { callOf } from '../lib/client.ts'
import { IconArrowRight } from '../ui/icons.ts'
import { Markdown } from '../ui/Markdown.tsx'
import { fieldName, fieldsOf, formOf, inputOf, isShown, valueWords, type Write } from './describe-write.ts'
import { TextChange } from './TextChange.tsx'
import css from './WriteContent.module.css'

const TEXTS = ['description', 'markdown_content', 'implementation_plan', 'user_prompt'] as const

const textIn = (fields: Record<string, unknown>) => {
  const key = TEXTS.find((one) => typeof fields[one] === 'string' && fields[one] !== '')
  return key === undefined ? undefined : { key, text: String(fields[key]) }
}

/** What a write changes, before and after. */
export function WriteContent({ write, projectId }: { write: Write; projectId: string }) {
  const form = formOf(write)
  const input = inputOf(write)
  if (form === 'suggestion')
    return <TextChange before={String(input.old_text ?? '')} after={String(input.new_text ?? '')} />
  if (form === 'comment')
    return (
      <blockquote className={css.quote}>
        <Markdown text={String(input.markdown_content ?? input.message ?? '')} />
      </blockquote>
    )
  if (form === 'create') return <Created fields={input} />
  if (form === 'delete') return <p className={css.gone}>It is deleted, and can be brought back for 30 days.</p>
  if (form === 'text' && write.before?.version_id && write.after?.version_id)
    return <VersionChange write={write} projectId={projectId} />
  return <Fields write={write} />
}

function Created({ fields }: { fields: Record<string, unknown> }) {
  const text = textIn(fields)
  const rest = Object.entries(fields).filter(
    ([key, value]) => key !== text?.key && key !== 'title' && key !== 'name' && isShown(key) && value !== null,
  )
  return (
    <>
      {text && (
        <div className={css.made}>
          <Markdown text={text.text} />
        </div>
      )}
      {rest.length > 0 && (
        <p className={css.facts}>
          {rest.map(([key, value]) => (
            <span key={key}>
              {fieldName(key)}: {valueWords(key, value)}
            </span>
          ))}
        </p>
      )}
    </>
  )
}

function Fields({ write }: { write: Write }) {
  const fields = fieldsOf(write)
  if (fields.length === 0) return null
  return (
    <dl className={css.fields}>
      {fields.map(({ key, before, after, isText }) => (
        <div key={key}>
          <dt>{fieldName(key)}</dt>
          <dd>
            {isText ? (
              <TextChange before={before === 'none' ? '' : before} after={after === 'none' ? '' : after} />
            ) : (
              <>
                <del>{before}</del> <IconArrowRight size={14} stroke={1.75} aria-label="becomes" /> <ins>{after}</ins>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The texts of documents are in their versions. */
function VersionChange({ write, projectId }: { write: Write; projectId: string }) {
  const { resource_id: id, before, after } = write
  const query = useQuery({
    queryKey: [projectId, 'versions-of-write', write.id, after?.version_id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const call = callOf(projectId)
      const documents = write.resource_type === 'blueprint' ? api.blueprints(call) : api.requirements(call)
      const read = async (version: unknown) =>
        (await documents.getVersion(id!, String(version), { signal })).data.markdown_content
      return Promise.all([read(before?.version_id), read(after?.version_id)])
    },
  })
  if (query.error) return <p className={css.gone}>Its versions could not be read. {query.error.message}</p>
  return query.data ? <TextChange before={query.data[0]} after={query.data[1]} /> : <p className={css.gone}>…</p>
}
