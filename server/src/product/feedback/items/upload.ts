export interface Upload {
  fileKey: string
  fileName: string
  fileSize: number
  mimeType: string
  sha256: string
}

/** A file as a report names it. */
export const fileOf = (one: ReturnType<typeof presentUpload>) => ({
  fileName: one.file_name,
  fileKey: one.file_key,
  fileSize: one.file_size,
  mimeType: one.mime_type,
})

export const presentUpload = (upload: Upload) => ({
  file_key: upload.fileKey,
  file_name: upload.fileName,
  file_size: upload.fileSize,
  mime_type: upload.mimeType,
})
