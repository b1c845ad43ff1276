import * as op from '../generated/operations/blueprints.ts'
import type { Body, Call, Options, Query, Schemas } from '../operation.ts'

export type Blueprint = Schemas['Blueprint']
export type BlueprintSummary = Schemas['BlueprintSummary']
export type BlueprintCategory = Schemas['BlueprintCategory']
export type BlueprintSearchHit = Schemas['BlueprintSearchHit']

export const blueprints = (call: Call) => ({
  /** List blueprints. */
  list: (query: Query<'listBlueprints'> = {}, options?: Options) => call(op.listBlueprints, { query }, options),
  /** Search blueprints by regular expression. */
  search: (body: Body<'searchBlueprints'>, options?: Options) => call(op.searchBlueprints, { body }, options),
  /** Read a blueprint. */
  get: (id: string, query: Query<'getBlueprint'> = {}, options?: Options) =>
    call(op.getBlueprint, { path: { blueprint_document_id: id }, query }, options),
  /** Create a blueprint. */
  create: (body: Body<'createBlueprint'>, options?: Options) => call(op.createBlueprint, { body }, options),
  /** Replace the whole content. */
  update: (id: string, body: Body<'updateBlueprint'>, options?: Options) =>
    call(op.updateBlueprint, { path: { blueprint_document_id: id }, body }, options),
  /** Rename a blueprint. */
  rename: (id: string, body: Body<'renameBlueprint'>, options?: Options) =>
    call(op.renameBlueprint, { path: { blueprint_document_id: id }, body }, options),
  /** Move within its category or to another. */
  move: (id: string, body: Body<'moveBlueprint'>, options?: Options) =>
    call(op.moveBlueprint, { path: { blueprint_document_id: id }, body }, options),
  /** Delete a blueprint for good. */
  delete: (id: string, options?: Options) => call(op.deleteBlueprint, { path: { blueprint_document_id: id } }, options),
  /** List versions, newest first. */
  listVersions: (id: string, options?: Options) =>
    call(op.listBlueprintVersions, { path: { blueprint_document_id: id } }, options),
  /** Read a version. */
  getVersion: (id: string, versionId: string, options?: Options) =>
    call(op.getBlueprintVersion, { path: { blueprint_document_id: id, version_id: versionId } }, options),
  /** Restore an earlier version. */
  restoreVersion: (id: string, versionId: string, options?: Options) =>
    call(op.restoreBlueprintVersion, { path: { blueprint_document_id: id, version_id: versionId } }, options),
  /** Compare two versions. */
  diffVersions: (id: string, fromVersionId: string, toVersionId: string, options?: Options) =>
    call(
      op.diffBlueprintVersions,
      { path: { blueprint_document_id: id, from_version_id: fromVersionId, to_version_id: toVersionId } },
      options,
    ),
  /** Suggest a replacement as tracked changes. */
  suggest: (id: string, body: Body<'suggestBlueprintChange'>, options?: Options) =>
    call(op.suggestBlueprintChange, { path: { blueprint_document_id: id }, body }, options),
  /** List pending changes. */
  listSuggestions: (id: string, options?: Options) =>
    call(op.listBlueprintSuggestions, { path: { blueprint_document_id: id } }, options),
  /** Accept a pending change. */
  acceptSuggestion: (id: string, changeId: string, options?: Options) =>
    call(op.acceptBlueprintSuggestion, { path: { blueprint_document_id: id, change_id: changeId } }, options),
  /** Accept all pending changes. */
  acceptAllSuggestions: (id: string, body: Body<'acceptAllBlueprintSuggestions'> = {}, options?: Options) =>
    call(op.acceptAllBlueprintSuggestions, { path: { blueprint_document_id: id }, body }, options),
  /** Reject a pending change. */
  rejectSuggestion: (id: string, changeId: string, options?: Options) =>
    call(op.rejectBlueprintSuggestion, { path: { blueprint_document_id: id, change_id: changeId } }, options),
  /** Reject all pending changes. */
  rejectAllSuggestions: (id: string, body: Body<'rejectAllBlueprintSuggestions'> = {}, options?: Options) =>
    call(op.rejectAllBlueprintSuggestions, { path: { blueprint_document_id: id }, body }, options),
  /** List comment threads. */
  listComments: (id: string, options?: Options) =>
    call(op.listBlueprintComments, { path: { blueprint_document_id: id } }, options),
  /** Start a comment thread. */
  comment: (id: string, body: Body<'commentBlueprint'>, options?: Options) =>
    call(op.commentBlueprint, { path: { blueprint_document_id: id }, body }, options),
  /** Read a comment thread. */
  getThread: (id: string, threadId: string, options?: Options) =>
    call(op.getBlueprintThread, { path: { blueprint_document_id: id, thread_id: threadId } }, options),
  /** Resolve or flag a thread. */
  updateThread: (id: string, threadId: string, body: Body<'updateBlueprintThread'>, options?: Options) =>
    call(op.updateBlueprintThread, { path: { blueprint_document_id: id, thread_id: threadId }, body }, options),
  /** Reply in a thread. */
  reply: (id: string, threadId: string, body: Body<'replyBlueprintThread'>, options?: Options) =>
    call(op.replyBlueprintThread, { path: { blueprint_document_id: id, thread_id: threadId }, body }, options),
  /** List categories. */
  listCategories: (options?: Options) => call(op.listBlueprintCategories, {}, options),
})

/** For people who are signed in. */
/** With what only people who are signed in can do. */
export const ownBlueprints = (call: Call) => ({
  ...blueprints(call),
  /** Show the whole tree, with the number of open suggestions and comments. */
  getTree: (options?: Options) => call(op.getBlueprintTree, {}, options),
  /** Search a part of the blueprints by regular expression. */
  searchWithin: (body: Body<'searchBlueprintsWithin'>, options?: Options) =>
    call(op.searchBlueprintsWithin, { body }, options),
  /** Read the shared state of a blueprint, which live editing begins with. */
  getLiveState: (id: string, options?: Options) =>
    call.download(op.getBlueprintLiveState, { path: { blueprint_document_id: id } }, options),
  /** List versions with who wrote each and how, newest first. */
  getHistory: (id: string, options?: Options) =>
    call(op.getBlueprintHistory, { path: { blueprint_document_id: id } }, options),
  /** Name a version. Null takes the name away. */
  nameVersion: (id: string, versionId: string, body: Body<'nameBlueprintVersion'>, options?: Options) =>
    call(op.nameBlueprintVersion, { path: { blueprint_document_id: id, version_id: versionId }, body }, options),
  /** Say which version you have seen, and what came since. */
  getVisit: (id: string, options?: Options) =>
    call(op.getBlueprintVisit, { path: { blueprint_document_id: id } }, options),
  /** Note that you have seen it as it is now. */
  noteVisit: (id: string, options?: Options) =>
    call(op.noteBlueprintVisit, { path: { blueprint_document_id: id } }, options),
  /** Show the suggestions and comment threads with their authors and places. */
  getReview: (id: string, options?: Options) =>
    call(op.getBlueprintReview, { path: { blueprint_document_id: id } }, options),
  /** Start a comment thread about a passage. */
  startThread: (id: string, body: Body<'startBlueprintThread'>, options?: Options) =>
    call(op.startBlueprintThread, { path: { blueprint_document_id: id }, body }, options),
  /** Edit a comment of your own. */
  editComment: (
    id: string,
    threadId: string,
    messageId: string,
    body: Body<'editBlueprintComment'>,
    options?: Options,
  ) =>
    call(
      op.editBlueprintComment,
      { path: { blueprint_document_id: id, thread_id: threadId, message_id: messageId }, body },
      options,
    ),
  /** Delete a comment. */
  deleteComment: (id: string, threadId: string, messageId: string, options?: Options) =>
    call(
      op.deleteBlueprintComment,
      { path: { blueprint_document_id: id, thread_id: threadId, message_id: messageId } },
      options,
    ),
  /** Bring a deleted comment back. */
  restoreComment: (id: string, threadId: string, messageId: string, options?: Options) =>
    call(
      op.restoreBlueprintComment,
      { path: { blueprint_document_id: id, thread_id: threadId, message_id: messageId } },
      options,
    ),
})
