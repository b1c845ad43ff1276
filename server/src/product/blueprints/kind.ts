import type { DocumentKind } from '../documents/index.ts'
import { deleteBlueprint } from './actions.ts'
import { Blueprint, BlueprintSearchHit, KIND, presentBlueprint } from './blueprint.ts'

export const blueprintKind: DocumentKind = {
  kind: KIND,
  path: '/blueprints',
  idParam: 'blueprint_document_id',
  noun: 'Blueprint',
  words: 'blueprint',
  tag: 'Blueprints',
  Detail: Blueprint,
  SearchHit: BlueprintSearchHit,
  presentSummary: presentBlueprint,
  presentHit: ({ id, title, treeName }) => ({ object: KIND, id, document_id: id, title, category_name: treeName }),
  deleteDocument: deleteBlueprint,
}
