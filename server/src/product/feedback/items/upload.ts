export interface Upload {
  fileKey: string
  fileName: string
  fileSize: number
  mimeType: string
  sha256: string
}

export const presentUpload = (upload: Upload) => ({
  file_key: upload.fileKey,
  file_name: upload.fileName,
  file_size: upload.fileSize,
  mime_type: upload.mimeType,
})
