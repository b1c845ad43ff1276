import { Type } from 'typebox'
import { conflict } from '../../kernel/errors.ts'
import { Kind, Nullable, named, Uuid } from '../../kernel/http/schema.ts'
import { type DocumentSummary, detailFields, searchHit, summaryFields } from '../documents/index.ts'

export const KIND = 'blueprint' as const
export const FEATURE_CATEGORY = 'Feature Blueprints'
export const CUSTOM_CATEGORY = 'Custom'
export const CATEGORIES = ['Containers', 'Components', FEATURE_CATEGORY, CUSTOM_CATEGORY]

/** A feature blueprint is the counterpart of a FEATURE document and follows its moves. */
const isFeatureBlueprint = (document: DocumentSummary) => document.pairedWith !== null

const CategoryName = Type.String({ examples: ['Components'] })
const fields = { object: Kind(KIND), category_name: CategoryName, ...summaryFields, blueprint_node_id: Nullable(Uuid) }

export const BlueprintSummary = named('BlueprintSummary', Type.Object(fields))
export const Blueprint = named('Blueprint', Type.Object({ ...fields, ...detailFields }))

export const BlueprintSearchHit = named(
  'BlueprintSearchHit',
  searchHit({
    object: Kind(KIND),
    id: Uuid,
    document_id: Uuid,
    title: summaryFields.title,
    category_name: CategoryName,
  }),
)

export const Category = named(
  'BlueprintCategory',
  Type.Object({
    object: Kind('blueprint_category'),
    id: Uuid,
    name: CategoryName,
    locked: Type.Boolean(),
    is_feature_blueprints: Type.Boolean(),
    count: Type.Integer({ examples: [3] }),
  }),
)

export const presentBlueprint = (document: DocumentSummary) => ({
  object: KIND,
  id: document.id,
  document_id: document.id,
  title: document.title,
  category_name: document.treeName,
  parent_id: document.parentId,
  children: document.children,
  feature_id: document.pairedWith,
  blueprint_node_id: isFeatureBlueprint(document) ? null : document.id,
  updated_at: document.updatedAt,
})

export const featureCategoryClosed = () =>
  conflict(
    'feature_category',
    'Feature blueprints are made with their FEATURE requirements document. Choose another category or parent.',
  )
