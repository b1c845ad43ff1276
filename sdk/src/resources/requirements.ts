import * as op from '../generated/operations/requirements.ts'
import type { Body, Call, Options, Query, Schemas } from '../operation.ts'

export type DocumentTree = Schemas['DocumentTree']
export type RequirementsDocument = Schemas['RequirementsDocument']
export type RequirementsSummary = Schemas['RequirementsSummary']
export type RequirementsSearchHit = Schemas['RequirementsSearchHit']
export type HistoryEntry = Schemas['HistoryEntry']
export type DocumentVisit = Schemas['DocumentVisit']
export type VersionEntry = Schemas['VersionEntry']
export type VersionDiff = Schemas['VersionDiff']
export type Suggestion = Schemas['Suggestion']
export type CommentThread = Schemas['CommentThread']
export type DocumentReview = Schemas['DocumentReview']
export type AnchoredThread = Schemas['AnchoredThread']
export type CommentAnchor = Schemas['CommentAnchor']
export type RequirementState = Schemas['RequirementState']
export type AttributedSuggestion = Schemas['AttributedSuggestion']

export const requirements = (call: Call) => ({
  /** List requirements documents. */
  list: (query: Query<'listRequirementsDocuments'> = {}, options?: Options) =>
    call(op.listRequirementsDocuments, { query }, options),
  /** Search requirements documents by regular expression. */
  search: (body: Body<'searchRequirementsDocuments'>, options?: Options) =>
    call(op.searchRequirementsDocuments, { body }, options),
  /** Read a requirements document. */
  get: (id: string, query: Query<'getRequirementsDocument'> = {}, options?: Options) =>
    call(op.getRequirementsDocument, { path: { document_id: id }, query }, options),
  /** Create a requirements document. */
  create: (body: Body<'createRequirementsDocument'>, options?: Options) =>
    call(op.createRequirementsDocument, { body }, options),
  /** Replace the whole content. */
  update: (id: string, body: Body<'updateRequirementsDocument'>, options?: Options) =>
    call(op.updateRequirementsDocument, { path: { document_id: id }, body }, options),
  /** Rename a requirements document. */
  rename: (id: string, body: Body<'renameRequirementsDocument'>, options?: Options) =>
    call(op.renameRequirementsDocument, { path: { document_id: id }, body }, options),
  /** Move within the tree of its type. */
  move: (id: string, body: Body<'moveRequirementsDocument'>, options?: Options) =>
    call(op.moveRequirementsDocument, { path: { document_id: id }, body }, options),
  /** Delete a requirements document for good. */
  delete: (id: string, options?: Options) =>
    call(op.deleteRequirementsDocument, { path: { document_id: id } }, options),
  /** List versions, newest first. */
  listVersions: (id: string, options?: Options) =>
    call(op.listRequirementsDocumentVersions, { path: { document_id: id } }, options),
  /** Read a version. */
  getVersion: (id: string, versionId: string, options?: Options) =>
    call(op.getRequirementsDocumentVersion, { path: { document_id: id, version_id: versionId } }, options),
  /** Restore an earlier version. */
  restoreVersion: (id: string, versionId: string, options?: Options) =>
    call(op.restoreRequirementsDocumentVersion, { path: { document_id: id, version_id: versionId } }, options),
  /** Compare two versions. */
  diffVersions: (id: string, fromVersionId: string, toVersionId: string, options?: Options) =>
    call(
      op.diffRequirementsDocumentVersions,
      { path: { document_id: id, from_version_id: fromVersionId, to_version_id: toVersionId } },
      options,
    ),
  /** Suggest a replacement as tracked changes. */
  suggest: (id: string, body: Body<'suggestRequirementsDocumentChange'>, options?: Options) =>
    call(op.suggestRequirementsDocumentChange, { path: { document_id: id }, body }, options),
  /** List pending changes. */
  listSuggestions: (id: string, options?: Options) =>
    call(op.listRequirementsDocumentSuggestions, { path: { document_id: id } }, options),
  /** Accept a pending change. */
  acceptSuggestion: (id: string, changeId: string, options?: Options) =>
    call(op.acceptRequirementsDocumentSuggestion, { path: { document_id: id, change_id: changeId } }, options),
  /** Accept all pending changes. */
  acceptAllSuggestions: (id: string, body: Body<'acceptAllRequirementsDocumentSuggestions'> = {}, options?: Options) =>
    call(op.acceptAllRequirementsDocumentSuggestions, { path: { document_id: id }, body }, options),
  /** Reject a pending change. */
  rejectSuggestion: (id: string, changeId: string, options?: Options) =>
    call(op.rejectRequirementsDocumentSuggestion, { path: { document_id: id, change_id: changeId } }, options),
  /** Reject all pending changes. */
  rejectAllSuggestions: (id: string, body: Body<'rejectAllRequirementsDocumentSuggestions'> = {}, options?: Options) =>
    call(op.rejectAllRequirementsDocumentSuggestions, { path: { document_id: id }, body }, options),
  /** List comment threads. */
  listComments: (id: string, options?: Options) =>
    call(op.listRequirementsDocumentComments, { path: { document_id: id } }, options),
  /** Start a comment thread. */
  comment: (id: string, body: Body<'commentRequirementsDocument'>, options?: Options) =>
    call(op.commentRequirementsDocument, { path: { document_id: id }, body }, options),
  /** Read a comment thread. */
  getThread: (id: string, threadId: string, options?: Options) =>
    call(op.getRequirementsDocumentThread, { path: { document_id: id, thread_id: threadId } }, options),
  /** Resolve or flag a thread. */
  updateThread: (id: string, threadId: string, body: Body<'updateRequirementsDocumentThread'>, options?: Options) =>
    call(op.updateRequirementsDocumentThread, { path: { document_id: id, thread_id: threadId }, body }, options),
  /** Reply in a thread. */
  reply: (id: string, threadId: string, body: Body<'replyRequirementsDocumentThread'>, options?: Options) =>
    call(op.replyRequirementsDocumentThread, { path: { document_id: id, thread_id: threadId }, body }, options),
})

/** For people who are signed in. */
/** With what only people who are signed in can do. */
export const ownRequirements = (call: Call) => ({
  ...requirements(call),
  /** Show the whole tree, with the number of open suggestions and comments. */
  getTree: (options?: Options) => call(op.getRequirementsDocumentTree, {}, options),
  /** Search a part of the requirements documents by regular expression. */
  searchWithin: (body: Body<'searchRequirementsDocumentsWithin'>, options?: Options) =>
    call(op.searchRequirementsDocumentsWithin, { body }, options),
  /** Read the shared state of a requirements document, which live editing begins with. */
  getLiveState: (id: string, options?: Options) =>
    call.download(op.getRequirementsDocumentLiveState, { path: { document_id: id } }, options),
  /** List versions with who wrote each and how, newest first. */
  getHistory: (id: string, options?: Options) =>
    call(op.getRequirementsDocumentHistory, { path: { document_id: id } }, options),
  /** Name a version. Null takes the name away. */
  nameVersion: (id: string, versionId: string, body: Body<'nameRequirementsDocumentVersion'>, options?: Options) =>
    call(op.nameRequirementsDocumentVersion, { path: { document_id: id, version_id: versionId }, body }, options),
  /** Say which version you have seen, and what came since. */
  getVisit: (id: string, options?: Options) =>
    call(op.getRequirementsDocumentVisit, { path: { document_id: id } }, options),
  /** Note that you have seen it as it is now. */
  noteVisit: (id: string, options?: Options) =>
    call(op.noteRequirementsDocumentVisit, { path: { document_id: id } }, options),
  /** Show the suggestions and comment threads with their authors and places. */
  getReview: (id: string, options?: Options) =>
    call(op.getRequirementsDocumentReview, { path: { document_id: id } }, options),
  /** Start a comment thread about a passage. */
  startThread: (id: string, body: Body<'startRequirementsDocumentThread'>, options?: Options) =>
    call(op.startRequirementsDocumentThread, { path: { document_id: id }, body }, options),
  /** Edit a comment of your own. */
  editComment: (
    id: string,
    threadId: string,
    messageId: string,
    body: Body<'editRequirementsDocumentComment'>,
    options?: Options,
  ) =>
    call(
      op.editRequirementsDocumentComment,
      { path: { document_id: id, thread_id: threadId, message_id: messageId }, body },
      options,
    ),
  /** Delete a comment. */
  deleteComment: (id: string, threadId: string, messageId: string, options?: Options) =>
    call(
      op.deleteRequirementsDocumentComment,
      { path: { document_id: id, thread_id: threadId, message_id: messageId } },
      options,
    ),
  /** Bring a deleted comment back. */
  restoreComment: (id: string, threadId: string, messageId: string, options?: Options) =>
    call(
      op.restoreRequirementsDocumentComment,
      { path: { document_id: id, thread_id: threadId, message_id: messageId } },
      options,
    ),
  /** Show the status, the owner and the approvals. */
  getState: (id: string, options?: Options) => call(op.getRequirementState, { path: { document_id: id } }, options),
  /** Set the status or the owner. */
  changeState: (id: string, body: Body<'changeRequirementState'>, options?: Options) =>
    call(op.changeRequirementState, { path: { document_id: id }, body }, options),
  /** Approve the current version. */
  approve: (id: string, body: Body<'approveRequirement'>, options?: Options) =>
    call(op.approveRequirement, { path: { document_id: id }, body }, options),
  /** Withdraw an approval of your own. */
  withdrawApproval: (id: string, approvalId: string, options?: Options) =>
    call(op.withdrawRequirementApproval, { path: { document_id: id, approval_id: approvalId } }, options),
})
