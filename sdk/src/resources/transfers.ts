import * as op from '../generated/operations/export-and-import.ts'
import type { Call, Options, Schemas } from '../operation.ts'

export type Export = Schemas['Export']
export type Import = Schemas['Import']
export type Transfer = Schemas['Transfer']
export type WorkOrdersImportPreview = Schemas['WorkOrdersImportPreview']
export type DocumentsImportPreview = Schemas['DocumentsImportPreview']

export interface ImportedFile {
  /** A stream is sent as it is read, which browsers allow only over HTTP/2. */
  file: Blob | ReadableStream<Uint8Array>
  /** Defaults to the name of a `File`. */
  name?: string | undefined
}

export interface ImportedFolder extends ImportedFile {
  /** What the files become. */
  kind?: 'requirements' | 'blueprints' | undefined
}

/** Exports and imports. Both take a while: ask for them until their `state` is `done` or `failed`. */
export const transfers = (call: Call) => ({
  /** List the latest exports and imports. */
  list: (options?: Options) => call(op.listTransfers, {}, options),
  /** Export the whole project. */
  startExport: (options?: Options) => call(op.startExport, {}, options),
  /** Read how far an export is. */
  getExport: (id: string, options?: Options) => call(op.getExport, { path: { export_id: id } }, options),
  /** Download an export. */
  downloadExport: (id: string, options?: Options) =>
    call.download(op.getExportContent, { path: { export_id: id } }, options),
  /** The address of an export. With a session, a browser can download it by itself. */
  exportUrl: (id: string) => call.urlOf(op.getExportContent, { path: { export_id: id } }),
  /** Import a whole project into this one, which must be new. */
  startImport: (file: ImportedFile, options?: Options) => call(op.startImport, formOf(file), options),
  /** Read how far an import is. */
  getImport: (id: string, options?: Options) => call(op.getImport, { path: { import_id: id } }, options),
  /** See what an import of work orders would do. */
  previewWorkOrders: (file: ImportedFile, options?: Options) => call(op.previewWorkOrdersImport, formOf(file), options),
  /** Import work orders. */
  importWorkOrders: (file: ImportedFile, options?: Options) => call(op.importWorkOrders, formOf(file), options),
  /** See what an import of markdown would do. */
  previewDocuments: (folder: ImportedFolder, options?: Options) =>
    call(op.previewDocumentsImport, formOf(folder), options),
  /** Import a folder of markdown. */
  importDocuments: (folder: ImportedFolder, options?: Options) => call(op.importDocuments, formOf(folder), options),
})

function formOf({ file, name, kind }: ImportedFolder) {
  const own = file instanceof Blob && 'name' in file ? String(file.name) : 'file'
  return { form: { fields: { kind }, file, name: name ?? own } }
}
