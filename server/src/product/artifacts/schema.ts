import { Type } from 'typebox'
import { expected } from '../../kernel/expected.ts'
import { FilePart } from '../../kernel/http/bodies/multipart.ts'
import { Paged, PageQuery } from '../../kernel/http/paging.ts'
import {
  Bytes,
  Data,
  FilledText,
  Kind,
  Markdown,
  Nullable,
  named,
  OneOf,
  Text,
  Time,
  Uuid,
} from '../../kernel/http/schema.ts'
import { ShownContextLink } from '../links/index.ts'
import { NAME_LENGTH, PATH_LENGTH, TYPES } from './artifact.ts'

const summaryFields = {
  object: Kind('artifact'),
  id: Uuid,
  name: Type.String({ examples: ['personas.md'] }),
  type: OneOf(TYPES),
  content_type: Nullable(Type.String({ examples: ['text/markdown'] })),
  size_bytes: Nullable(Type.Integer({ examples: [1834] })),
  s3_uri: Nullable(
    Type.String({
      examples: [
        's3://slipway/7d3f2c1e-5b64-4e0a-9f1d-3c8a6b2e4d70/artifacts/019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81/019a84d2-7c5e-7b31-9a60-2f4f5f6f7a82',
      ],
    }),
  ),
  folder_path: Type.String({ examples: ['research/2026'], description: 'The folders above it; empty in the root.' }),
  created_at: Time,
  updated_at: Time,
  created_by: Type.String({ examples: ['Ada Lovelace'] }),
}

export const ArtifactSummary = named('ArtifactSummary', Type.Object(summaryFields))

export const Artifact = named(
  'Artifact',
  Type.Object({
    ...summaryFields,
    markdown_content: Nullable(Type.String({ examples: ['# Personas\n'] })),
    connectedContext: Type.Array(ShownContextLink),
  }),
)

export const ArtifactData = Data(Artifact)
export const ArtifactPage = Paged(ArtifactSummary)
export const ArtifactContent = Bytes
export const ArtifactParams = Type.Object({ artifact_id: Uuid })

export const Name = FilledText(NAME_LENGTH, { description: 'Without a slash.', examples: ['personas.md'] })
const FolderPath = Text(PATH_LENGTH, {
  deprecated: true,
  description: 'Slash-delimited; empty for the root. Prefer `parent_id`.',
  examples: ['research/2026'],
})

export const ListQuery = Type.Object({
  folder_path: Type.Optional(
    Text(PATH_LENGTH, { deprecated: true, description: 'Only what lies in this folder; empty for the root.' }),
  ),
  name: Type.Optional(Text(NAME_LENGTH, { description: 'Part of the name, in any case.' })),
  recursive: Type.Boolean({ default: true, description: 'Also what lies in folders further down.' }),
  type: Type.Optional(OneOf(TYPES, { description: 'Only this type.' })),
  ...PageQuery,
})

const UploadBody = Type.Object({
  file: FilePart,
  name: Type.Optional(FilledText(NAME_LENGTH, { description: 'Instead of the name that the file has.' })),
  folder_path: Type.Optional(FolderPath),
  parent_id: Type.Optional(Uuid),
})

const JsonBody = Type.Object({
  name: Name,
  markdown_content: Type.Optional(Markdown({ description: 'Only of a document.', examples: ['# Personas\n'] })),
  type: OneOf(['document', 'folder'] as const, { default: 'document' }),
  folder_path: Type.Optional(FolderPath),
  parent_id: Type.Optional(Nullable(Uuid, { description: 'The folder it lies in; null for the root.' })),
})

export const CreateBody = {
  content: { 'application/json': { schema: JsonBody }, 'multipart/form-data': { schema: UploadBody } },
}

export const ChangeBody = Type.Partial(
  Type.Object({
    name: Name,
    expected_name: expected((options) => FilledText(NAME_LENGTH, options), 'name', 'personas.md'),
    markdown_content: Markdown({ description: 'Only of a document.', examples: ['# Personas\n'] }),
    parent_id: Nullable(Uuid, { description: 'The folder to move it to; null for the root.' }),
  }),
)

export const FolderBody = Type.Object({ folder_path: FolderPath })
