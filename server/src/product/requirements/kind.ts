import type { DocumentKind } from '../documents/index.ts'
import { deleteRequirements } from './actions.ts'
import { KIND, presentRequirements, RequirementsDocument, RequirementsSearchHit } from './requirements-document.ts'

export const requirementsKind: DocumentKind = {
  kind: KIND,
  path: '/requirements',
  idParam: 'document_id',
  noun: 'RequirementsDocument',
  words: 'requirements document',
  tag: 'Requirements',
  Detail: RequirementsDocument,
  SearchHit: RequirementsSearchHit,
  presentSummary: presentRequirements,
  presentHit: ({ id, title, treeName }) => ({ object: KIND, id, document_id: id, title, document_type: treeName }),
  deleteDocument: deleteRequirements,
}
